"""Pages and API over one Appliance. `app.create_app(appliance)` is the door."""
