"""What loads of RBD images add to a plan: images, their pools, their bytes.

Begin with planner.py.
"""
