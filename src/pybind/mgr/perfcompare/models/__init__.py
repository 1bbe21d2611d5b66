"""The vocabulary of perfcompare as data; codec.py makes JSON of it."""
