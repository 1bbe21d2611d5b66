"""Loads of RBD images by fio and librbd, one process for each image."""
