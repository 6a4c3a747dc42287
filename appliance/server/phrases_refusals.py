"""What the pages refuse, and the next step, in French and Spanish. `phrases` says them."""

REFUSALS = {  # English: (French, Spanish)
    # titles
    "Not so fast": ("Pas si vite", "No tan deprisa"),
    "This cannot be used": ("Ceci ne peut pas servir", "Esto no puede usarse"),
    "Sign in first": ("Connectez-vous d’abord", "Inicie sesión antes"),
    "Not for everyone": ("Pas pour tout le monde", "No es para todos"),
    "There is no such page": ("Cette page n’existe pas", "No existe esa página"),
    "This cannot be done here": ("Cela ne se fait pas ici", "Eso no se puede hacer aquí"),
    "Not now": ("Pas maintenant", "Ahora no"),
    "This is too much at once": ("C’est trop à la fois", "Es demasiado de una vez"),
    "Many people are asking": ("Beaucoup de monde interroge", "Mucha gente está preguntando"),
    "Not available just now": ("Pas disponible en ce moment", "No disponible en este momento"),
    "Something went wrong": ("Quelque chose s’est mal passé", "Algo salió mal"),
    "Back to: {page}": ("Retour : {page}", "Volver a: {page}"),
    # addresses
    "Nothing in this library has this address.": (
        "Rien dans cette bibliothèque n’a cette adresse.",
        "Nada en esta biblioteca tiene esa dirección.",
    ),
    "This address does not take {method}.": (
        "Cette adresse n’accepte pas {method}.",
        "Esta dirección no acepta {method}.",
    ),
    "What was sent is larger than this library reads.": (
        "Ce qui a été envoyé est plus grand que ce que cette bibliothèque lit.",
        "Lo que se envió es más grande de lo que lee esta biblioteca.",
    ),
    "Go to the start page and ask, or look along the shelf.": (
        "Allez à la page d’accueil et interrogez, ou regardez l’étagère.",
        "Vaya a la página de inicio y pregunte, o mire el estante.",
    ),
    "There is nothing called {what} to do here.": (
        "Il n’y a rien à faire ici qui s’appelle {what}.",
        "Aquí no hay nada que hacer llamado {what}.",
    ),
    "There is no archive “{name}” on the shelf.": (
        "Il n’y a pas d’archive « {name} » sur l’étagère.",
        "No hay ninguna colección «{name}» en el estante.",
    ),
    "The home page lists the archives that can be searched.": (
        "La page d’accueil donne la liste des archives où l’on peut chercher.",
        "La página de inicio muestra las colecciones en las que se puede buscar.",
    ),
    "There is no archive {name} in this library.": (
        "Il n’y a pas d’archive {name} dans cette bibliothèque.",
        "No hay ninguna colección {name} en esta biblioteca.",
    ),
    "Look at the shelf on the home page.": (
        "Regardez l’étagère sur la page d’accueil.",
        "Mire el estante en la página de inicio.",
    ),
    "{name} has no such page.": ("{name} n’a pas cette page.", "{name} no tiene esa página."),
    "{name} has no entry {path}.": ("{name} n’a pas d’entrée {path}.", "{name} no tiene la entrada {path}."),
    "Search for its title instead.": ("Cherchez plutôt son titre.", "Busque mejor su título."),
    "Search for it again.": ("Cherchez à nouveau.", "Búsquelo de nuevo."),
    "{path} redirects more than {n} times.": (
        "{path} renvoie plus loin plus de {n} fois.",
        "{path} remite a otra parte más de {n} veces.",
    ),
    "Search for the page itself.": ("Cherchez la page elle-même.", "Busque la página misma."),
    "{path} is {kind}, not a page.": ("{path} est {kind}, pas une page.", "{path} es {kind}, no una página."),
    # reading in Kiwix
    "Reading in Kiwix is off.": ("La lecture dans Kiwix est arrêtée.", "La lectura en Kiwix está apagada."),
    "kiwix-serve is not running on this machine.": (
        "kiwix-serve ne tourne pas sur cette machine.",
        "kiwix-serve no funciona en esta máquina.",
    ),
    "This address is too long.": ("Cette adresse est trop longue.", "Esta dirección es demasiado larga."),
    "Kiwix has no page whose address says so much.": (
        "Kiwix n’a pas de page dont l’adresse en dise autant.",
        "Kiwix no tiene ninguna página cuya dirección diga tanto.",
    ),
    "Kiwix takes too long to answer.": (
        "Kiwix met trop de temps à répondre.",
        "Kiwix tarda demasiado en responder.",
    ),
    "Wait a moment, then load the page again.": (
        "Attendez un moment, puis rechargez la page.",
        "Espere un momento y cargue la página de nuevo.",
    ),
    "Kiwix does not answer.": ("Kiwix ne répond pas.", "Kiwix no responde."),
    "It is started again by itself; try in a moment.": (
        "Il redémarre tout seul ; essayez dans un instant.",
        "Se reinicia solo; inténtelo en un momento.",
    ),
    "The passages on answer pages still open in their own text.": (
        "Les passages des pages de réponse s’ouvrent toujours dans leur propre texte.",
        "Los pasajes de las páginas de respuesta se siguen abriendo en su propio texto.",
    ),
    # asking
    "There is no question.": ("Il n’y a pas de question.", "No hay ninguna pregunta."),
    "Type a question in plain words, then ask again.": (
        "Écrivez une question avec des mots simples, puis demandez à nouveau.",
        "Escriba una pregunta con palabras sencillas y pregunte de nuevo.",
    ),
    "This device asks faster than this library answers.": (
        "Cet appareil demande plus vite que cette bibliothèque ne répond.",
        "Este aparato pregunta más deprisa de lo que responde esta biblioteca.",
    ),
    "Try again in {n} s.": ("Réessayez dans {n} s.", "Inténtelo de nuevo en {n} s."),
    "Try again in a moment.": ("Réessayez dans un instant.", "Inténtelo de nuevo en un momento."),
    "Ask again in a minute.": ("Demandez à nouveau dans une minute.", "Pregunte de nuevo en un minuto."),
    "Too many people search this library just now.": (
        "Trop de personnes cherchent dans cette bibliothèque en ce moment.",
        "Demasiada gente busca en esta biblioteca en este momento.",
    ),
    "{n} questions wait for the language model already.": (
        "{n} questions attendent déjà le modèle de langue.",
        "Ya esperan {n} preguntas al modelo de lenguaje.",
    ),
    "{n} questions are being answered already.": (
        "{n} questions reçoivent déjà une réponse.",
        "Ya se están respondiendo {n} preguntas.",
    ),
    "The question before is still being answered.": (
        "La question précédente reçoit encore sa réponse.",
        "La pregunta anterior aún se está respondiendo.",
    ),
    "Wait for its answer, or stop it.": (
        "Attendez sa réponse, ou arrêtez-la.",
        "Espere su respuesta, o deténgala.",
    ),
    "Something went wrong in this library.": (
        "Quelque chose s’est mal passé dans cette bibliothèque.",
        "Algo salió mal en esta biblioteca.",
    ),
    "Try again; the log says what.": (
        "Réessayez ; le journal dit quoi.",
        "Inténtelo de nuevo; el registro dice qué.",
    ),
    "Try again.": ("Réessayez.", "Inténtelo de nuevo."),
    "“{name}” is asked in a conversation.": (
        "« {name} » s’interroge dans une conversation.",
        "«{name}» se pregunta en una conversación.",
    ),
    "A scope of this page is everything, library or documents.": (
        "Cette page connaît les domaines everything, library et documents.",
        "Los ámbitos de esta página son everything, library y documents.",
    ),
    "There is no scope “{name}”.": ("Il n’y a pas de domaine « {name} ».", "No hay ningún ámbito «{name}»."),
    "A scope is everything, library, documents, folder:NAME, document:NUMBER or source:NAME.": (
        "Un domaine est everything, library, documents, folder:NOM, document:NUMÉRO ou source:NOM.",
        "Un ámbito es everything, library, documents, folder:NOMBRE, document:NÚMERO o source:NOMBRE.",
    ),
    # conversations
    "This box keeps no conversations.": (
        "Cette boîte ne garde pas de conversations.",
        "Esta caja no guarda conversaciones.",
    ),
    "Ask from the start page.": (
        "Interrogez depuis la page d’accueil.",
        "Pregunte desde la página de inicio.",
    ),
    "There is no such conversation here.": (
        "Cette conversation n’existe pas ici.",
        "No hay aquí ninguna conversación así.",
    ),
    "Look at the list of your conversations.": (
        "Regardez la liste de vos conversations.",
        "Mire la lista de sus conversaciones.",
    ),
    "You have {n} conversations.": ("Vous avez {n} conversations.", "Tiene {n} conversaciones."),
    "Delete some of them.": ("Supprimez-en quelques-unes.", "Borre algunas."),
    "This conversation has no such turn.": (
        "Cette conversation n’a pas un tel échange.",
        "Esta conversación no tiene ese turno.",
    ),
    "This conversation has {n} turns.": (
        "Cette conversation a {n} échanges.",
        "Esta conversación tiene {n} turnos.",
    ),
    "Begin another one.": ("Commencez-en une autre.", "Empiece otra."),
    "This turn's id belongs to another question.": (
        "L’identifiant de cet échange est celui d’une autre question.",
        "El identificador de este turno es de otra pregunta.",
    ),
    "Give each question an id of its own.": (
        "Donnez à chaque question son propre identifiant.",
        "Dé a cada pregunta un identificador propio.",
    ),
    "The library is too large to be summed up.": (
        "La bibliothèque est trop grande pour être résumée.",
        "La biblioteca es demasiado grande para resumirla.",
    ),
    "Choose own documents.": ("Choisissez des documents à vous.", "Elija documentos propios."),
    "This source is not open to you.": (
        "Cette source ne vous est pas ouverte.",
        "Esta fuente no está abierta para usted.",
    ),
    "Ask the library, or sign in first.": (
        "Interrogez la bibliothèque, ou connectez-vous d’abord.",
        "Pregunte a la biblioteca, o inicie sesión antes.",
    ),
    "Ask the library.": ("Interrogez la bibliothèque.", "Pregunte a la biblioteca."),
    "There is no such pair here.": ("Cette paire n’existe pas ici.", "No hay aquí ningún par así."),
    "“{what}” is no stretch of time.": ("« {what} » n’est pas une période.", "«{what}» no es un período."),
    "Write 1923, 1923-04, 1923-04-12, 1920s or c20.": (
        "Écrivez 1923, 1923-04, 1923-04-12, 1920s ou c20.",
        "Escriba 1923, 1923-04, 1923-04-12, 1920s o c20.",
    ),
    # documents and forms with files
    "The documents of this box are not open to you.": (
        "Les documents de cette boîte ne vous sont pas ouverts.",
        "Los documentos de esta caja no están abiertos para usted.",
    ),
    "At this machine they open at {there}.": (
        "Sur cette machine ils s’ouvrent sous {there}.",
        "En esta máquina se abren en {there}.",
    ),
    "There is no such document.": ("Ce document n’existe pas.", "No hay ningún documento así."),
    "It may have been deleted.": ("Il a peut-être été supprimé.", "Quizá se borró."),
    "No file was chosen.": ("Aucun fichier n’a été choisi.", "No se eligió ningún archivo."),
    "Choose one or more, then send the form.": (
        "Choisissez-en un ou plusieurs, puis envoyez le formulaire.",
        "Elija uno o más y envíe el formulario.",
    ),
    "The file has no name.": ("Le fichier n’a pas de nom.", "El archivo no tiene nombre."),
    "Give it one that ends in .txt, .md, .pdf or the like.": (
        "Donnez-lui-en un qui finit par .txt, .md, .pdf ou semblable.",
        "Póngale uno que termine en .txt, .md, .pdf o parecido.",
    ),
    "{name} is larger than {n} MiB.": ("{name} dépasse {n} Mio.", "{name} pasa de {n} MiB."),
    "Split it; whoever looks after the box can raise the limit.": (
        "Divisez-le ; la personne qui s’occupe de la boîte peut relever la limite.",
        "Divídalo; quien cuida la caja puede subir el límite.",
    ),
    "{name} cannot be taken in: {why}.": (
        "{name} ne peut pas être reçu : {why}.",
        "{name} no puede recibirse: {why}.",
    ),
    "Delete what is not needed, then add it again.": (
        "Supprimez ce qui ne sert pas, puis ajoutez-le à nouveau.",
        "Borre lo que no haga falta y añádalo de nuevo.",
    ),
    "“{name}” is no name for an area.": (
        "« {name} » n’est pas un nom pour un espace.",
        "«{name}» no es un nombre para un espacio.",
    ),
    "This is no form with files.": (
        "Ce n’est pas un formulaire avec fichiers.",
        "No es un formulario con archivos.",
    ),
    "Send multipart/form-data.": ("Envoyez multipart/form-data.", "Envíe multipart/form-data."),
    "The form broke off.": ("Le formulaire s’est interrompu.", "El formulario se interrumpió."),
    "Send it again: what was whole is kept.": (
        "Renvoyez-le : ce qui était entier est gardé.",
        "Envíelo de nuevo: lo que estaba entero se conserva.",
    ),
    "This form has too many parts.": (
        "Ce formulaire a trop de parties.",
        "Este formulario tiene demasiadas partes.",
    ),
    "Send fewer files at once.": ("Envoyez moins de fichiers à la fois.", "Envíe menos archivos a la vez."),
    "The field {name} is too long.": (
        "Le champ {name} est trop long.",
        "El campo {name} es demasiado largo.",
    ),
    "A part of this form has a header without end.": (
        "Une partie de ce formulaire a un en-tête sans fin.",
        "Una parte de este formulario tiene una cabecera sin fin.",
    ),
    "This form cannot be read.": ("Ce formulaire est illisible.", "Este formulario no se puede leer."),
    "Send it again.": ("Renvoyez-le.", "Envíelo de nuevo."),
}
