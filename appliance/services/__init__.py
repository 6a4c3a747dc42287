"""The processes beside the pages, their clients, and the supervisor that starts and watches them."""
