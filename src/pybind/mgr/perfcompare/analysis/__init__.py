"""Judge trials: pure functions of data, standard library only."""
