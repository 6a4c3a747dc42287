"""The fixed sentences of the desk's pages that touch the box itself (network, clock, power, logs), and what
its helper says, in French and Spanish. `phrases` says them."""

SYSTEM = {  # English: (French, Spanish)
    # what is refused, and what a computer lacks
    "This is an ordinary computer: it opens no Wi-Fi of its own, and its name is its owner's affair.": (
        "Ceci est un ordinateur ordinaire : il n’ouvre pas de Wi-Fi, et son nom regarde son propriétaire.",
        "Esto es un ordenador corriente: no abre ninguna Wi-Fi propia, y su nombre es asunto de su dueño.",
    ),
    "The owner's settings were not read at this start. Start the box again.": (
        "Les réglages du propriétaire n’ont pas été lus à ce démarrage. Redémarrez la boîte.",
        "Los ajustes del dueño no se leyeron en este arranque. Reinicie la caja.",
    ),
    "Nothing was changed.": ("Rien n’a été changé.", "No se cambió nada."),
    "The three minutes are over, and the old network is back. Nothing is lost: try it again.": (
        "Les trois minutes sont passées et l’ancien réseau est revenu. Rien n’est perdu : essayez encore.",
        "Pasaron los tres minutos y la red anterior volvió. No se perdió nada: inténtelo otra vez.",
    ),
    "This is an ordinary computer: it keeps its own clock, which is set there.": (
        "Ceci est un ordinateur ordinaire : il a sa propre horloge, qui se règle ailleurs.",
        "Esto es un ordenador corriente: tiene su propio reloj, que se ajusta en él.",
    ),
    "This is no time. Choose a day and an hour.": (
        "Ce n’est pas une heure. Choisissez un jour et une heure.",
        "Eso no es una hora. Elija un día y una hora.",
    ),
    "This is an ordinary computer: it is started again and stopped where it stands.": (
        "Ceci est un ordinateur ordinaire : on le redémarre et on l’arrête là où il est.",
        "Esto es un ordenador corriente: se reinicia y se apaga donde está.",
    ),
    "This is an ordinary computer: what the programs log stands in the terminal where they run.": (
        "Ceci est un ordinateur ordinaire : ce que disent les programmes s’affiche dans leur terminal.",
        "Esto es un ordenador corriente: lo que registran los programas está en su terminal.",
    ),
    "The clock stays: found {found}, expected a time from {now} on, before {latest}.": (
        "L’horloge ne change pas : {found} trouvé, on attendait une heure à partir de {now} et avant "
        "{latest}.",
        "El reloj no cambia: se dio {found}, se esperaba una hora desde {now} y antes de {latest}.",
    ),
    "The clock can be put forward, not back.": (
        "L’horloge s’avance, elle ne se recule pas.",
        "El reloj se adelanta, no se atrasa.",
    ),
    "The clock stands at {now}.": ("L’horloge indique {now}.", "El reloj marca {now}."),
    "The box's helper does not answer: {why}.": (
        "L’assistant de la boîte ne répond pas : {why}.",
        "El ayudante de la caja no responde: {why}.",
    ),
    "Start the box again.": ("Redémarrez la boîte.", "Reinicie la caja."),
    # the network
    "A network is on trial": ("Un réseau est à l’essai", "Hay una red a prueba"),
    "{ssid}, for {n} more seconds. Then the old one comes back, unless it is kept.": (
        "{ssid}, pendant encore {n} secondes. Ensuite l’ancien revient, sauf si on le garde.",
        "{ssid}, durante {n} segundos más. Después vuelve la anterior, salvo que se conserve.",
    ),
    "It works: keep it": ("Il marche : le garder", "Funciona: conservarla"),
    "New settings are tried for three minutes. If nobody confirms them from the new network, the old ones"
    " come back by themselves.": (
        "Les nouveaux réglages sont essayés pendant trois minutes. Si personne ne les confirme depuis le "
        "nouveau réseau, les anciens reviennent d’eux-mêmes.",
        "Los ajustes nuevos se prueban durante tres minutos. Si nadie los confirma desde la red nueva, "
        "los anteriores vuelven solos.",
    ),
    "Name of the network": ("Nom du réseau", "Nombre de la red"),
    "Empty: the passphrase stays as it is.": (
        "Vide : la phrase secrète reste la même.",
        "Vacío: la frase secreta sigue igual.",
    ),
    "The network is open: anybody may join. A passphrase closes it.": (
        "Le réseau est ouvert : tout le monde peut s’y joindre. Une phrase secrète le ferme.",
        "La red está abierta: cualquiera puede unirse. Una frase secreta la cierra.",
    ),
    "8 to 63 letters, digits and signs of a plain English keyboard.": (
        "De 8 à 63 lettres, chiffres et signes d’un clavier anglais simple.",
        "De 8 a 63 letras, cifras y signos de un teclado inglés sencillo.",
    ),
    "Name of the box": ("Nom de la boîte", "Nombre de la caja"),
    "The address of the box is http://NAME/. Letters, digits and dashes.": (
        "L’adresse de la boîte est http://NOM/. Lettres, chiffres et tirets.",
        "La dirección de la caja es http://NOMBRE/. Letras, cifras y guiones.",
    ),
    "Country and channel": ("Pays et canal", "País y canal"),
    "Say the country where the box stands: its rules say which channels may be used. What the radio "
    "refuses is left for the usual channel.": (
        "Indiquez le pays où se trouve la boîte : ses règles disent quels canaux sont permis. Ce que la "
        "radio refuse est remplacé par le canal habituel.",
        "Indique el país donde está la caja: sus reglas dicen qué canales se pueden usar. Lo que la radio"
        " rechaza se cambia por el canal habitual.",
    ),
    "Country": ("Pays", "País"),
    "what is allowed everywhere": ("ce qui est permis partout", "lo permitido en todas partes"),
    "Band": ("Bande", "Banda"),
    "Channel": ("Canal", "Canal"),
    "the box chooses": ("la boîte choisit", "la caja elige"),
    "Try it for three minutes": ("L’essayer pendant trois minutes", "Probarla durante tres minutos"),
    "The label": ("L’étiquette", "La etiqueta"),
    "For the wall beside the box: a code to join the network, and one for the address.": (
        "Pour le mur à côté de la boîte : un code pour se joindre au réseau, et un pour l’adresse.",
        "Para la pared junto a la caja: un código para unirse a la red y otro para la dirección.",
    ),
    "To print (PDF)": ("À imprimer (PDF)", "Para imprimir (PDF)"),
    "As a picture": ("En image", "Como imagen"),
    "Join again, then confirm": ("Rejoignez le réseau, puis confirmez", "Únase de nuevo y confirme"),
    "In a few seconds the network changes. Leave this page open: you lose the connection for up to a "
    "minute.": (
        "Dans quelques secondes le réseau change. Laissez cette page ouverte : la connexion se perd "
        "pendant une minute au plus.",
        "En unos segundos la red cambia. Deje esta página abierta: la conexión se pierde hasta un minuto.",
    ),
    "Join this network": ("Joignez ce réseau", "Únase a esta red"),
    "Passphrase:": ("Phrase secrète :", "Frase secreta:"),
    "It is open, as before.": ("Il est ouvert, comme avant.", "Está abierta, como antes."),
    "Its passphrase is the one from before.": (
        "Sa phrase secrète est celle d’avant.",
        "Su frase secreta es la de antes.",
    ),
    "Come back to this page": ("Revenez à cette page", "Vuelva a esta página"),
    "I have joined: confirm": ("J’y suis : confirmer", "Ya estoy: confirmar"),
    "It leads to the new name. If your phone does not find it, use the number:": (
        "Le lien mène au nouveau nom. Si votre téléphone ne le trouve pas, prenez le numéro :",
        "Lleva al nombre nuevo. Si su teléfono no lo encuentra, use el número:",
    ),
    "confirm under the number": ("confirmer avec le numéro", "confirmar con el número"),
    "If nobody confirms within {n} minutes, the old network comes back by itself, and your phone joins it"
    " as before.": (
        "Si personne ne confirme en {n} minutes, l’ancien réseau revient de lui-même et votre téléphone "
        "s’y joint comme avant.",
        "Si nadie confirma en {n} minutos, la red anterior vuelve sola y su teléfono se une a ella como "
        "antes.",
    ),
    "Confirm": ("Confirmer", "Confirmar"),
    "It stays": ("C’est gardé", "Se queda"),
    "The new settings stand in lamplight.toml on the card. A label that hangs beside the box is out of "
    "date now.": (
        "Les nouveaux réglages sont dans lamplight.toml sur la carte. Une étiquette accrochée près de la "
        "boîte n’est plus à jour.",
        "Los ajustes nuevos están en lamplight.toml en la tarjeta. Una etiqueta colgada junto a la caja "
        "ya no vale.",
    ),
    "A new label (PDF)": ("Une nouvelle étiquette (PDF)", "Una etiqueta nueva (PDF)"),
    "You have joined {ssid}": ("Vous avez rejoint {ssid}", "Se ha unido a {ssid}"),
    "{n} seconds are left. Without your word the old network comes back.": (
        "Il reste {n} secondes. Sans votre accord l’ancien réseau revient.",
        "Quedan {n} segundos. Sin su palabra vuelve la red anterior.",
    ),
    "Nothing is on trial": ("Rien n’est à l’essai", "No hay nada a prueba"),
    # the clock
    "The board has no battery for its clock: after a power cut it goes on from the time that was kept. It"
    " can be put forward, never back.": (
        "La carte n’a pas de pile pour son horloge : après une coupure elle repart de l’heure gardée. "
        "Elle s’avance, elle ne se recule jamais.",
        "La placa no tiene pila para su reloj: tras un corte sigue desde la hora guardada. Se adelanta, "
        "nunca se atrasa.",
    ),
    "This device says the same.": ("Cet appareil indique la même heure.", "Este aparato marca lo mismo."),
    "This device is {n} ahead of the box.": (
        "Cet appareil avance de {n} sur la boîte.",
        "Este aparato va {n} por delante de la caja.",
    ),
    "This device is {n} behind the box. The clock is not put back.": (
        "Cet appareil retarde de {n} sur la boîte. L’horloge ne se recule pas.",
        "Este aparato va {n} por detrás de la caja. El reloj no se atrasa.",
    ),
    "seconds": ("secondes", "segundos"),
    "minutes": ("minutes", "minutos"),
    "hours": ("heures", "horas"),
    "days": ("jours", "días"),
    "Take the time of this device": ("Prendre l’heure de cet appareil", "Tomar la hora de este aparato"),
    "Or set it by hand": ("Ou la régler à la main", "O ajustarla a mano"),
    "Set": ("Régler", "Ajustar"),
    # power
    "Do not just pull the plug: first let the box write down what it holds.": (
        "Ne débranchez pas simplement : laissez d’abord la boîte écrire ce qu’elle retient.",
        "No desenchufe sin más: deje antes que la caja escriba lo que tiene.",
    ),
    "Stop the box": ("Arrêter la boîte", "Apagar la caja"),
    "Start it again": ("La redémarrer", "Reiniciarla"),
    "Stop the box?": ("Arrêter la boîte ?", "¿Apagar la caja?"),
    "Start the box again?": ("Redémarrer la boîte ?", "¿Reiniciar la caja?"),
    "Everybody who reads now loses the connection. The box starts again only when its plug is pulled and "
    "put in again.": (
        "Tous ceux qui lisent perdent la connexion. La boîte ne repart que si on la débranche et rebranche.",
        "Todos los que leen pierden la conexión. La caja solo arranca otra vez al desenchufarla y "
        "enchufarla.",
    ),
    "Everybody who reads now loses the connection for a few minutes.": (
        "Tous ceux qui lisent perdent la connexion pendant quelques minutes.",
        "Todos los que leen pierden la conexión durante unos minutos.",
    ),
    "Stop it": ("L’arrêter", "Apagarla"),
    "No, leave it on": ("Non, la laisser en marche", "No, dejarla encendida"),
    "The box stops": ("La boîte s’arrête", "La caja se apaga"),
    "Leave the plug in for now.": ("Laissez-la branchée pour l’instant.", "Déjela enchufada por ahora."),
    "In about {n} seconds the network goes, then the small light on the board goes out or stays still.": (
        "Dans {n} secondes environ le réseau s’éteint, puis la petite lumière de la carte s’éteint ou ne "
        "bouge plus.",
        "En unos {n} segundos se va la red, y luego la lucecita de la placa se apaga o se queda quieta.",
    ),
    "When the light has not moved for ten seconds, the plug may be pulled.": (
        "Quand la lumière n’a pas bougé pendant dix secondes, on peut débrancher.",
        "Cuando la luz no se haya movido en diez segundos, se puede desenchufar.",
    ),
    "The box starts again": ("La boîte redémarre", "La caja se reinicia"),
    "It takes one to three minutes. Join its network again if your phone does not do it by itself.": (
        "Cela prend d’une à trois minutes. Rejoignez son réseau si votre téléphone ne le fait pas de lui-"
        "même.",
        "Tarda de uno a tres minutos. Únase de nuevo a su red si su teléfono no lo hace solo.",
    ),
    "Look whether it is there": ("Voir si elle est là", "Mirar si ya está"),
    # logs
    "Everything of ours": ("Tout ce qui est à nous", "Todo lo nuestro"),
    "Pages": ("Pages", "Páginas"),
    "Search by meaning": ("Recherche par le sens", "Búsqueda por significado"),
    "Language model": ("Modèle de langue", "Modelo de lenguaje"),
    "Reading in Kiwix": ("Lecture dans Kiwix", "Lectura en Kiwix"),
    "Wi-Fi and addresses": ("Wi-Fi et adresses", "Wi-Fi y direcciones"),
    "Sticks": ("Clés USB", "Memorias USB"),
    "The start of the box": ("Le démarrage de la boîte", "El arranque de la caja"),
    "Helper": ("Assistant", "Ayudante"),
    "The box's own screen": ("L’écran de la boîte", "La pantalla de la caja"),
    "Kernel": ("Noyau", "Núcleo"),
    "All lines": ("Toutes les lignes", "Todas las líneas"),
    "Warnings and errors": ("Avertissements et erreurs", "Avisos y errores"),
    "Errors": ("Erreurs", "Errores"),
    "error": ("erreur", "error"),
    "warning": ("avertissement", "aviso"),
    "Of": ("De", "De"),
    "Which": ("Lesquelles", "Cuáles"),
    "Show": ("Afficher", "Mostrar"),
    "Nothing of this kind was logged since the box started.": (
        "Rien de tel n’a été noté depuis le démarrage de la boîte.",
        "Nada de esto se registró desde que la caja arrancó.",
    ),
    "The latest first. The logs lie in memory and are gone at the next start. Questions are never logged;"
    " addresses of phones are taken out.": (
        "Les plus récentes d’abord. Les journaux sont en mémoire et disparaissent au prochain démarrage. "
        "Les questions ne sont jamais notées ; les adresses des téléphones sont retirées.",
        "Las últimas primero. Los registros están en memoria y se pierden en el próximo arranque. Las "
        "preguntas nunca se registran; las direcciones de los teléfonos se quitan.",
    ),
}
