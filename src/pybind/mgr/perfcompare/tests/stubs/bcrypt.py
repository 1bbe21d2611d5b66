"""Stand in for bcrypt, which mgr_util of 18.2 imports and we never call."""
