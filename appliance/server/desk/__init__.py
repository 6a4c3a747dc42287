"""The desk of whoever looks after the box: one small module for each page.

Every page works without JavaScript, declares whom it is for (`places`), and is drawn by `frame`, which has
the navigation. What a page does to the system goes through the root helper's closed list of verbs.
"""
