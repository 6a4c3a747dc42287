"""The fixed sentences of signing in and of the people of the box, in French and Spanish."""

PEOPLE = {  # English: (French, Spanish)
    "Sign in": ("Se connecter", "Iniciar sesión"),
    "Your account": ("Votre compte", "Su cuenta"),
    "Nobody signs in on the box's own screen: everybody uses it. Take a phone or a computer.": (
        "Personne ne se connecte sur l’écran de la boîte : tout le monde s’en sert. Prenez un téléphone ou "
        "un ordinateur.",
        "Nadie inicia sesión en la pantalla de la caja: la usa todo el mundo. Tome un teléfono o un "
        "ordenador.",
    ),
    "You have signed in.": ("Vous êtes connecté.", "Ha iniciado sesión."),
    "Role": ("Rôle", "Función"),
    "reader": ("lecteur", "lector"),
    "editor": ("rédacteur", "editor"),
    "admin": ("administrateur", "administrador"),
    "Your passphrase was changed. Everywhere else you have been signed out.": (
        "Votre phrase secrète a été changée. Partout ailleurs, vous avez été déconnecté.",
        "Su frase secreta se cambió. En los demás lugares se cerró su sesión.",
    ),
    "Where you are signed in": ("Où vous êtes connecté", "Dónde tiene sesión iniciada"),
    "seen {day}": ("vu le {day}", "visto el {day}"),
    "never seen": ("jamais vu", "nunca visto"),
    "here": ("ici", "aquí"),
    "Sign out there": ("Y déconnecter", "Cerrarla"),
    "Another passphrase": ("Une autre phrase secrète", "Otra frase secreta"),
    "The present one": ("L’actuelle", "La actual"),
    "The new one, at least 8 letters": ("La nouvelle, au moins 8 lettres", "La nueva, al menos 8 letras"),
    "Change it": ("La changer", "Cambiarla"),
    "For whoever looks after this box. Reading and asking need no account.": (
        "Pour la personne qui s’occupe de cette boîte. Lire et interroger se fait sans compte.",
        "Para quien cuida esta caja. Para leer y preguntar no hace falta cuenta.",
    ),
    "The box speaks plain HTTP: only the Wi-Fi's own passphrase keeps others from listening in.": (
        "La boîte parle en HTTP simple : seule la phrase secrète du Wi-Fi empêche d’autres d’écouter.",
        "La caja habla HTTP sin cifrar: solo la frase secreta del Wi-Fi impide que otros escuchen.",
    ),
    "You have a code from the device?": (
        "Vous avez un code de l’appareil ?",
        "¿Tiene un código del aparato?",
    ),
    "The name or the passphrase is not right.": (
        "Le nom ou la phrase secrète n’est pas correct.",
        "El nombre o la frase secreta no es correcto.",
    ),
    "The present passphrase is not right.": (
        "La phrase secrète actuelle n’est pas correcte.",
        "La frase secreta actual no es correcta.",
    ),
    "There were too many wrong tries. Wait {n} s, then try again.": (
        "Il y a eu trop d’essais faux. Attendez {n} s, puis réessayez.",
        "Hubo demasiados intentos erróneos. Espere {n} s e inténtelo de nuevo.",
    ),
    "Several people are signing in just now. Try again in a moment.": (
        "Plusieurs personnes se connectent en ce moment. Réessayez dans un instant.",
        "Varias personas están iniciando sesión ahora. Inténtelo de nuevo en un momento.",
    ),
    # first use
    "First use": ("Première utilisation", "Primer uso"),
    "Whoever holds the device becomes its admin here, with the code that only they can see.": (
        "Qui a l’appareil en main en devient ici l’administrateur, avec le code que lui seul peut voir.",
        "Quien tiene el aparato se hace aquí su administrador, con el código que solo él puede ver.",
    ),
    "On a Raspberry Pi: in lamplight-box.txt on the card, and on a screen that is plugged in.": (
        "Sur un Raspberry Pi : dans lamplight-box.txt sur la carte, et sur un écran branché.",
        "En una Raspberry Pi: en lamplight-box.txt en la tarjeta, y en una pantalla conectada.",
    ),
    "On a computer: in the terminal in which Lamplight was started.": (
        "Sur un ordinateur : dans le terminal où Lamplight a été lancé.",
        "En un ordenador: en la terminal en la que se inició Lamplight.",
    ),
    "The device's code": ("Le code de l’appareil", "El código del aparato"),
    "Your name": ("Votre nom", "Su nombre"),
    "A passphrase, at least 8 letters": (
        "Une phrase secrète, au moins 8 lettres",
        "Una frase secreta, al menos 8 letras",
    ),
    "Become admin": ("Devenir administrateur", "Hacerse administrador"),
    "The code opens this page once.": (
        "Le code ouvre cette page une fois.",
        "El código abre esta página una vez.",
    ),
    "The code of this box was used. Whoever is at the device can make another one.": (
        "Le code de cette boîte a été utilisé. Qui est à l’appareil peut en faire un autre.",
        "El código de esta caja ya se usó. Quien está ante el aparato puede hacer otro.",
    ),
    "This is not the code of this box, or it was used.": (
        "Ce n’est pas le code de cette boîte, ou il a été utilisé.",
        "No es el código de esta caja, o ya se usó.",
    ),
    # the people of the box
    "Who may do more than read and ask.": (
        "Qui peut faire plus que lire et interroger.",
        "Quién puede hacer más que leer y preguntar.",
    ),
    "The program's token": ("Le jeton du programme", "La ficha del programa"),
    "Keep it now: it is not shown again. Programs send it as “Authorization: Bearer …”.": (
        "Gardez-le maintenant : il n’est plus montré. Les programmes l’envoient comme "
        "« Authorization: Bearer … ».",
        "Guárdela ahora: no se muestra otra vez. Los programas la envían como «Authorization: Bearer …».",
    ),
    "Signed in nowhere.": ("Connecté nulle part.", "Sin sesión en ningún lugar."),
    "Take it away": ("Le retirer", "Quitarlo"),
    "Change": ("Changer", "Cambiar"),
    "Give this role": ("Donner ce rôle", "Dar esta función"),
    "Another passphrase, at least 8 letters": (
        "Une autre phrase secrète, au moins 8 lettres",
        "Otra frase secreta, al menos 8 letras",
    ),
    "Give it": ("La donner", "Darla"),
    "It signs them out everywhere and takes their programs away.": (
        "Cela déconnecte la personne partout et retire ses programmes.",
        "Eso cierra todas sus sesiones y quita sus programas.",
    ),
    "Remove this person": ("Retirer cette personne", "Quitar a esta persona"),
    "Somebody new": ("Quelqu’un de nouveau", "Alguien nuevo"),
    "A first passphrase, which you tell them; they change it themselves": (
        "Une première phrase secrète, que vous lui dites ; la personne la change elle-même",
        "Una primera frase secreta, que usted le dice; la persona la cambia",
    ),
    "sees the box's own documents, where only known people may": (
        "voit les documents de la boîte, là où seules les personnes connues le peuvent",
        "ve los documentos de la caja, donde solo pueden las personas conocidas",
    ),
    "looks after sources and documents, too": (
        "s’occupe aussi des sources et des documents",
        "cuida también las fuentes y los documentos",
    ),
    "does everything": ("fait tout", "hace todo"),
    "Let a program in": ("Laisser entrer un programme", "Dejar entrar un programa"),
    "It acts for you, with this role or with yours where that is smaller.": (
        "Il agit pour vous, avec ce rôle ou avec le vôtre s’il est plus petit.",
        "Actúa por usted, con esta función o con la suya si es menor.",
    ),
    "What it is for": ("À quoi il sert", "Para qué es"),
    "Make a token": ("Faire un jeton", "Hacer una ficha"),
    # elsewhere
    "Whoever looks after the box changes the library here, when they have signed in.": (
        "La personne qui s’occupe de la boîte change la bibliothèque ici, une fois connectée.",
        "Quien cuida la caja cambia la biblioteca aquí, cuando ha iniciado sesión.",
    ),
    "Editors add and delete documents here, when they have signed in.": (
        "Les rédacteurs ajoutent et suppriment des documents ici, une fois connectés.",
        "Los editores añaden y borran documentos aquí, cuando han iniciado sesión.",
    ),
    "You have signed in as {role}. Editors and admins add and delete documents here.": (
        "Vous êtes connecté comme {role}. Les rédacteurs et les administrateurs ajoutent et suppriment des "
        "documents ici.",
        "Ha iniciado sesión como {role}. Los editores y los administradores añaden y borran documentos aquí.",
    ),
    "You have signed in as {role}. Admins change the library here.": (
        "Vous êtes connecté comme {role}. Les administrateurs changent la bibliothèque ici.",
        "Ha iniciado sesión como {role}. Los administradores cambian la biblioteca aquí.",
    ),
}
