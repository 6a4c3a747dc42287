"""The fixed sentences of the desk's pages, in French and Spanish. `phrases` says them."""

DESK = {  # English: (French, Spanish)
    "Desk": ("Bureau", "Despacho"),
    "Sign out": ("Se déconnecter", "Cerrar sesión"),
    # the navigation
    "Library": ("Bibliothèque", "Biblioteca"),
    "Sources": ("Sources", "Fuentes"),
    "People": ("Personnes", "Personas"),
    "Answers": ("Réponses", "Respuestas"),
    "Usage": ("Utilisation", "Uso"),
    "Wi-Fi and name": ("Wi-Fi et nom", "Wi-Fi y nombre"),
    "Clock": ("Horloge", "Reloj"),
    "Backup": ("Sauvegarde", "Copia de seguridad"),
    "Logs": ("Journaux", "Registros"),
    "Power": ("Alimentation", "Encendido"),
}
