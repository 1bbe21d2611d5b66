"""What tests are made of: plans, trials, recorded results."""
