"""What the checks of the box say, in French and Spanish. `phrases` says them."""

CHECKS = {  # English: (French, Spanish)
    "Settings": ("Réglages", "Ajustes"),
    "Model for this board": ("Modèle pour cette carte", "Modelo para esta placa"),
    "Wi-Fi": ("Wi-Fi", "Wi-Fi"),
    "Addresses and names": ("Adresses et noms", "Direcciones y nombres"),
    "Memory": ("Mémoire", "Memoria"),
    "Temperature": ("Température", "Temperatura"),
    "Speed": ("Vitesse", "Velocidad"),
    "Power": ("Alimentation", "Alimentación"),
    "Data": ("Données", "Datos"),
    "Space on the card": ("Place sur la carte", "Espacio en la tarjeta"),
    "Card": ("Carte", "Tarjeta"),
    "Writing to the card": ("Écriture sur la carte", "Escritura en la tarjeta"),
    "Card, by the kernel": ("Carte, selon le noyau", "Tarjeta, según el núcleo"),
    "Clock": ("Horloge", "Reloj"),
    "Program": ("Programme", "Programa"),
    "Programs": ("Programmes", "Programas"),
    "Phones": ("Téléphones", "Teléfonos"),
    # what each program does
    "the pages": ("les pages", "las páginas"),
    "turns questions into vectors": (
        "change les questions en vecteurs",
        "convierte las preguntas en vectores",
    ),
    "the language model": ("le modèle de langue", "el modelo de lenguaje"),
    "articles in Kiwix": ("les articles dans Kiwix", "los artículos en Kiwix"),
    "what phones talk to": ("ce à quoi parlent les téléphones", "con lo que hablan los teléfonos"),
    "addresses and names": ("adresses et noms", "direcciones y nombres"),
    "the Wi-Fi": ("le Wi-Fi", "el Wi-Fi"),
    "the cable": ("le câble", "el cable"),
    "the box's own screen": ("l’écran de la boîte", "la pantalla de la caja"),
    "Helper": ("Assistant", "Ayudante"),
    # the set-up, and what must run
    "The owner's settings were not read.": (
        "Les réglages du propriétaire n’ont pas été lus.",
        "Los ajustes del dueño no se leyeron.",
    ),
    "Start the box again.": ("Redémarrez la boîte.", "Reinicie la caja."),
    "Nobody can join: the network is not open.": (
        "Personne ne peut se joindre : le réseau n’est pas ouvert.",
        "Nadie puede unirse: la red no está abierta.",
    ),
    "Phones get no address: dnsmasq does not run.": (
        "Les téléphones n’ont pas d’adresse : dnsmasq ne tourne pas.",
        "Los teléfonos no reciben dirección: dnsmasq no funciona.",
    ),
    "Start the box again; the journal of {unit} says why.": (
        "Redémarrez la boîte ; le journal de {unit} dit pourquoi.",
        "Reinicie la caja; el registro de {unit} dice por qué.",
    ),
    "The radio refused the band, channel or country of lamplight.toml; the usual ones are used.": (
        "La radio a refusé la bande, le canal ou le pays de lamplight.toml ; les habituels servent.",
        "La radio rechazó la banda, el canal o el país de lamplight.toml; se usan los habituales.",
    ),
    "Correct them, and start the box again.": (
        "Corrigez-les et redémarrez la boîte.",
        "Corríjalos y reinicie la caja.",
    ),
    "{ssid}. At most {n} phones at once.": (
        "{ssid}. Au plus {n} téléphones à la fois.",
        "{ssid}. Como mucho {n} teléfonos a la vez.",
    ),
    # memory, heat, power
    "{free} of {whole} MB are free.": ("{free} Mo libres sur {whole}.", "{free} de {whole} MB libres."),
    "Choose a smaller model or none.": (
        "Choisissez un modèle plus petit, ou aucun.",
        "Elija un modelo más pequeño o ninguno.",
    ),
    "The board slows down a lot: give it air or a cooler now.": (
        "La carte ralentit beaucoup : donnez-lui de l’air ou un refroidisseur maintenant.",
        "La placa va mucho más lenta: dele aire o un disipador ahora.",
    ),
    "The board slows down: give it air or a cooler.": (
        "La carte ralentit : donnez-lui de l’air ou un refroidisseur.",
        "La placa va más lenta: dele aire o un disipador.",
    ),
    "From {hot} °C on the board slows down.": (
        "À partir de {hot} °C la carte ralentit.",
        "Desde {hot} °C la placa va más lenta.",
    ),
    "The processor is held back because of the heat: step {step} of {most}.": (
        "Le processeur est freiné à cause de la chaleur : cran {step} sur {most}.",
        "El procesador está frenado por el calor: paso {step} de {most}.",
    ),
    "Give the board air or a cooler; answers are slower until then.": (
        "Donnez de l’air à la carte ou un refroidisseur ; d’ici là les réponses sont plus lentes.",
        "Dele aire a la placa o un disipador; hasta entonces las respuestas son más lentas.",
    ),
    "The processor runs as fast as it can.": (
        "Le processeur tourne aussi vite qu’il peut.",
        "El procesador va tan rápido como puede.",
    ),
    "The supply's voltage is too low.": (
        "La tension de l’alimentation est trop basse.",
        "La tensión de la fuente es demasiado baja.",
    ),
    "Use the supply that is made for this board, and a short cable.": (
        "Prenez l’alimentation faite pour cette carte, et un câble court.",
        "Use la fuente hecha para esta placa y un cable corto.",
    ),
    "This kernel does not watch the supply.": (
        "Ce noyau ne surveille pas l’alimentation.",
        "Este núcleo no vigila la fuente.",
    ),
    # the card
    "The data partition cannot be read: {why}.": (
        "La partition des données ne se lit pas : {why}.",
        "La partición de datos no se puede leer: {why}.",
    ),
    "{free} of {whole} GB are free.": ("{free} Go libres sur {whole}.", "{free} de {whole} GB libres."),
    "Remove what is no longer needed.": ("Supprimez ce qui ne sert plus.", "Quite lo que ya no haga falta."),
    "Its file systems have met errors ({where}).": (
        "Ses systèmes de fichiers ont rencontré des erreurs ({where}).",
        "Sus sistemas de archivos encontraron errores ({where}).",
    ),
    "No error of its file systems is known.": (
        "Aucune erreur de ses systèmes de fichiers n’est connue.",
        "No se conoce ningún error de sus sistemas de archivos.",
    ),
    "The data partition can only be read: the kernel has stopped writing to it after an error.": (
        "La partition des données ne peut plus qu’être lue : le noyau a cessé d’y écrire après une erreur.",
        "La partición de datos solo se puede leer: el núcleo dejó de escribir en ella tras un error.",
    ),
    "Start the box again. If it comes back, make a backup and write a new card.": (
        "Redémarrez la boîte. Si cela revient, faites une sauvegarde et écrivez une nouvelle carte.",
        "Reinicie la caja. Si vuelve a pasar, haga una copia de seguridad y grabe una tarjeta nueva.",
    ),
    "Errors with it that the kernel has met since this start: {n}. The last: {last}": (
        "Erreurs que le noyau a rencontrées avec elle depuis ce démarrage : {n}. La dernière : {last}",
        "Errores que el núcleo encontró con ella desde este arranque: {n}. El último: {last}",
    ),
    "Make a backup, then write a new card. Cards wear out; a good one of a known make lasts longer.": (
        "Faites une sauvegarde, puis écrivez une nouvelle carte. Les cartes s’usent ; une bonne carte de "
        "marque connue dure plus longtemps.",
        "Haga una copia de seguridad y grabe una tarjeta nueva. Las tarjetas se gastan; una buena de marca"
        " conocida dura más.",
    ),
    # the clock
    "It stands at {now}, and the image was made on {built}.": (
        "Elle indique {now}, et l’image date du {built}.",
        "Marca {now}, y la imagen se hizo el {built}.",
    ),
    "Set it from a phone or a computer: page Clock.": (
        "Réglez-la depuis un téléphone ou un ordinateur : page Horloge.",
        "Ajústelo desde un teléfono o un ordenador: página Reloj.",
    ),
    "No time is kept on the card: after a power cut the clock starts at the image's date.": (
        "Aucune heure n’est gardée sur la carte : après une coupure l’horloge repart de la date de l’image.",
        "No se guarda la hora en la tarjeta: tras un corte el reloj empieza en la fecha de la imagen.",
    ),
    "Look at the card: it may be full, or no longer written to.": (
        "Regardez la carte : elle est peut-être pleine, ou on n’y écrit plus.",
        "Mire la tarjeta: puede estar llena, o ya no se escribe en ella.",
    ),
    "The time is not kept any more, last at {last}.": (
        "L’heure n’est plus gardée, la dernière fois à {last}.",
        "La hora ya no se guarda, la última vez a las {last}.",
    ),
    "{now}. No battery; it was set since this start.": (
        "{now}. Pas de pile ; elle a été réglée depuis ce démarrage.",
        "{now}. Sin pila; se ajustó desde este arranque.",
    ),
    "{now}, by the time that was kept: the board has no battery, and the time without power is missing.": (
        "{now}, d’après l’heure gardée : la carte n’a pas de pile, et le temps sans courant manque.",
        "{now}, según la hora guardada: la placa no tiene pila, y falta el tiempo sin corriente.",
    ),
    # programs and phones
    "{unit} ({does}) does not run.": ("{unit} ({does}) ne tourne pas.", "{unit} ({does}) no funciona."),
    "The logs say why.": ("Les journaux disent pourquoi.", "Los registros dicen por qué."),
    "{unit} ({does}) was ended {n} times for want of memory.": (
        "{unit} ({does}) a été arrêté {n} fois faute de mémoire.",
        "{unit} ({does}) se terminó {n} veces por falta de memoria.",
    ),
    "{unit} ({does}) was started again: {n} times so far.": (
        "{unit} ({does}) a été redémarré : {n} fois jusqu’ici.",
        "{unit} ({does}) se reinició: {n} veces hasta ahora.",
    ),
    "All {n} run, and none was started again.": (
        "Tous les {n} tournent, et aucun n’a été redémarré.",
        "Los {n} funcionan y ninguno se reinició.",
    ),
    "About {n} in the last hour; at most {most} at once.": (
        "Environ {n} dans la dernière heure ; au plus {most} à la fois.",
        "Unos {n} en la última hora; como mucho {most} a la vez.",
    ),
    'More phones than this need an access point on the cable (ethernet = "serve").': (
        'Pour plus de téléphones il faut un point d’accès au câble (ethernet = "serve").',
        'Para más teléfonos hace falta un punto de acceso en el cable (ethernet = "serve").',
    ),
}
