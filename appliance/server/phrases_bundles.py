"""The sentences of the page of bundles and sticks, and what the librarian says there, in French and Spanish.
`phrases` says them.
"""

BUNDLES = {  # English: (French, Spanish)
    "Bundles and sticks": ("Collections et clés USB", "Bibliotecas y memorias USB"),
    "A bundle is a library that travels on a stick: archives with their indexes. "
    "Use it from the stick, or copy it to the card.": (
        "Une collection est une bibliothèque qui voyage sur une clé USB : des archives avec leurs index. "
        "Utilisez-la depuis la clé, ou copiez-la sur la carte.",
        "Una biblioteca viaja en una memoria USB: colecciones con sus índices. Úsela desde la memoria o "
        "cópiela a la tarjeta.",
    ),
    "A bundle is a library that travels on a stick: archives with their indexes. "
    "Use it from the stick, or copy it to this computer.": (
        "Une collection est une bibliothèque qui voyage sur une clé USB : des archives avec leurs index. "
        "Utilisez-la depuis la clé, ou copiez-la sur cet ordinateur.",
        "Una biblioteca viaja en una memoria USB: colecciones con sus índices. Úsela desde la memoria o "
        "cópiela a este ordenador.",
    ),
    "Nobody whom this box trusts has signed it. I know where it comes from.": (
        "Personne en qui cette boîte a confiance ne l’a signée. Je sais d’où elle vient.",
        "Nadie en quien esta caja confía la ha firmado. Sé de dónde viene.",
    ),
    "about a minute left": ("encore une minute environ", "queda cerca de un minuto"),
    "about {n} minutes left": ("encore {n} minutes environ", "quedan unos {n} minutos"),
    "Stick {name}": ("Clé {name}", "Memoria {name}"),
    "not taken": ("refusée", "rechazada"),
    "being looked at": ("en cours d’examen", "en revisión"),
    "in use, being checked": ("utilisée, en cours de vérification", "en uso, verificándose"),
    "in use": ("utilisée", "en uso"),
    "not in use": ("non utilisée", "sin usar"),
    "signed by {name}": ("signée par {name}", "firmada por {name}"),
    "not signed by anyone trusted": (
        "non signée par une personne de confiance",
        "no firmada por nadie de confianza",
    ),
    "Use it from the stick": ("L’utiliser depuis la clé", "Usarla desde la memoria"),
    "Stop using it": ("Ne plus l’utiliser", "Dejar de usarla"),
    "Copy it to the card": ("La copier sur la carte", "Copiarla a la tarjeta"),
    "Copy it to this computer": ("La copier sur cet ordinateur", "Copiarla a este ordenador"),
    "Is it damaged there?": ("Y est-elle abîmée ?", "¿Está dañada allí?"),
    "Copy what is damaged": ("Copier ce qui est abîmé", "Copiar lo que está dañado"),
    "It is on the card already.": ("Elle est déjà sur la carte.", "Ya está en la tarjeta."),
    "It is on this computer already.": ("Elle est déjà sur cet ordinateur.", "Ya está en este ordenador."),
    "All archives of this box": (
        "Toutes les archives de cette boîte",
        "Todas las colecciones de esta caja",
    ),
    "Sticks are not looked for here. Start with --sticks and the folder in which they are mounted.": (
        "Les clés ne sont pas cherchées ici. Démarrez avec --sticks et le dossier où elles sont montées.",
        "Aquí no se buscan memorias. Arranque con --sticks y la carpeta en la que están montadas.",
    ),
    "No stick with a bundle is plugged in.": (
        "Aucune clé avec une collection n’est branchée.",
        "No hay ninguna memoria con una biblioteca conectada.",
    ),
    "On the card": ("Sur la carte", "En la tarjeta"),
    "On this computer": ("Sur cet ordinateur", "En este ordenador"),
    "damaged": ("endommagée", "dañada"),
    "being tried out": ("à l’essai", "a prueba"),
    "Check every file": ("Vérifier tous les fichiers", "Verificar todos los archivos"),
    "Before it": ("La précédente", "La anterior"),
    "kept": ("gardée", "guardada"),
    "Go back to it": ("Y revenir", "Volver a ella"),
    "Make a stick": ("Préparer une clé", "Preparar una memoria"),
    "For the next village: the bundle in use goes onto a stick, whole or some of its archives.": (
        "Pour le prochain village : la collection utilisée est copiée sur une clé, entière ou en partie.",
        "Para el próximo pueblo: la biblioteca en uso se copia a una memoria, entera o en parte.",
    ),
    "Write to {name}": ("Écrire sur {name}", "Escribir en {name}"),
    "Only some of the archives": ("Seulement certaines archives", "Solo algunas colecciones"),
    # the librarian's
    "The stick {name} was pulled out. What is on the card goes on.": (
        "La clé {name} a été retirée. Ce qui est sur la carte continue.",
        "Se sacó la memoria {name}. Lo que está en la tarjeta sigue.",
    ),
    "The stick {name} was pulled out. What is on this computer goes on.": (
        "La clé {name} a été retirée. Ce qui est sur cet ordinateur continue.",
        "Se sacó la memoria {name}. Lo que está en este ordenador sigue.",
    ),
    "{label} is copied to this computer.": (
        "{label} est copiée sur cet ordinateur.",
        "{label} está copiada a este ordenador.",
    ),
    "Copying {label} to this computer": (
        "Copie de {label} sur cet ordinateur",
        "Copiando {label} a este ordenador",
    ),
    "{label} is copied to the card.": (
        "{label} est copiée sur la carte.",
        "{label} está copiada a la tarjeta.",
    ),
    "{label} is in use and has answered its self-test.": (
        "{label} est utilisée et a répondu à son essai.",
        "{label} está en uso y respondió a su prueba.",
    ),
    "{label} did not pass its self-test: {fault} What was in use before is in use again.": (
        "{label} n’a pas réussi son essai : {fault} Ce qui servait avant sert de nouveau.",
        "{label} no pasó su prueba: {fault} Lo que se usaba antes se usa otra vez.",
    ),
    "The bundle before is in use again.": (
        "La collection précédente est de nouveau utilisée.",
        "La biblioteca anterior está en uso otra vez.",
    ),
    "Every file of {label} is what it should be.": (
        "Chaque fichier de {label} est comme il doit être.",
        "Cada archivo de {label} está como debe estar.",
    ),
    "The stick is ready: {name} is on it, and was read back.": (
        "La clé est prête : {name} y est, et a été relue.",
        "La memoria está lista: {name} está en ella y se leyó de nuevo.",
    ),
    "Copying {label} to the card": ("Copie de {label} sur la carte", "Copiando {label} a la tarjeta"),
    "Checking {label}": ("Vérification de {label}", "Verificando {label}"),
    "Writing {label} to the stick": ("Écriture de {label} sur la clé", "Escribiendo {label} en la memoria"),
}
