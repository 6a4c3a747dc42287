"""The fixed sentences around the desk's pages and on its status page, in French and Spanish. `phrases` says
them."""

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
    "Power": ("Alimentation", "Alimentación"),
    # status
    "All is well": ("Tout va bien", "Todo está bien"),
    "All is well, with something worth knowing": (
        "Tout va bien, avec quelque chose à savoir",
        "Todo está bien, con algo que conviene saber",
    ),
    "Working, with something to look at": (
        "En marche, avec quelque chose à regarder",
        "En marcha, con algo que mirar",
    ),
    "Something needs help now": ("Quelque chose a besoin d’aide", "Algo necesita ayuda ahora"),
    "fine": ("bien", "bien"),
    "worth knowing": ("à savoir", "conviene saberlo"),
    "needs a look": ("à regarder", "hay que mirarlo"),
    "needs help now": ("à régler maintenant", "necesita ayuda ahora"),
    "off": ("éteint", "apagado"),
    "This is an ordinary computer: temperature, card, radio and clock are not watched here.": (
        "Ceci est un ordinateur ordinaire : température, carte, radio et horloge n’y sont pas surveillées.",
        "Esto es un ordenador corriente: aquí no se vigilan temperatura, tarjeta, radio ni reloj.",
    ),
    "1 part is fine": ("1 élément va bien", "1 parte está bien"),
    "{n} parts are fine": ("{n} éléments vont bien", "{n} partes están bien"),
    "Programs": ("Programmes", "Programas"),
    "Program": ("Programme", "Programa"),
    "MB": ("Mo", "MB"),
    "runs": ("en marche", "en marcha"),
    "restarts": ("redémarrages", "reinicios"),
    "yes": ("oui", "sí"),
    "no": ("non", "no"),
    "In figures": ("En chiffres", "En cifras"),
}
