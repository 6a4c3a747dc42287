"""What is refused to people who sign in, and on the desk, in French and Spanish. `phrases` says them."""

SIGNING = {  # English: (French, Spanish)
    "This is for people who have signed in.": (
        "C’est pour les personnes connectées.",
        "Esto es para quien ha iniciado sesión.",
    ),
    "Sign in first.": ("Connectez-vous d’abord.", "Inicie sesión antes."),
    "Sign in again.": ("Connectez-vous à nouveau.", "Inicie sesión de nuevo."),
    "This is for an {needed}; you have signed in as {name}, {role}.": (
        "Cette page demande le rôle {needed} ; vous êtes connecté comme {name}, {role}.",
        "Esta página pide la función {needed}; ha iniciado sesión como {name}, {role}.",
    ),
    "Ask whoever looks after the box.": (
        "Demandez à la personne qui s’occupe de la boîte.",
        "Pregunte a quien cuida la caja.",
    ),
    "This form is of another session, or of another place.": (
        "Ce formulaire vient d’une autre session, ou d’ailleurs.",
        "Este formulario es de otra sesión, o de otro lugar.",
    ),
    "Open the page again, then send the form from there.": (
        "Rouvrez la page, puis envoyez le formulaire de là.",
        "Abra la página de nuevo y envíe el formulario desde allí.",
    ),
    "This form is of another place.": (
        "Ce formulaire vient d’ailleurs.",
        "Este formulario es de otro lugar.",
    ),
    "Open the page here, then send it.": (
        "Ouvrez la page ici, puis envoyez-le.",
        "Abra la página aquí y envíelo.",
    ),
    "People sign in under a name of the box, not under its number.": (
        "On se connecte sous un nom de la boîte, pas sous son numéro.",
        "Se inicia sesión bajo un nombre de la caja, no bajo su número.",
    ),
    "Try {address} instead.": ("Essayez plutôt {address}.", "Pruebe mejor {address}."),
    "Open the box by its name.": ("Ouvrez la boîte par son nom.", "Abra la caja por su nombre."),
    "Nobody signs in on the box's own screen: everybody uses it.": (
        "Personne ne se connecte sur l’écran de la boîte : tout le monde s’en sert.",
        "Nadie inicia sesión en la pantalla de la caja: la usa todo el mundo.",
    ),
    "Use a phone or a computer.": (
        "Prenez un téléphone ou un ordinateur.",
        "Use un teléfono o un ordenador.",
    ),
    "This is for people, not for programs.": (
        "C’est pour des personnes, pas pour des programmes.",
        "Esto es para personas, no para programas.",
    ),
    "See the device.": ("Regardez l’appareil.", "Mire el aparato."),
    "The code was used just now.": ("Le code vient de servir.", "El código acaba de usarse."),
    "Sign in, or ask who was faster.": (
        "Connectez-vous, ou demandez qui a été plus rapide.",
        "Inicie sesión, o pregunte quién fue más rápido.",
    ),
    "Use a few words.": ("Prenez quelques mots.", "Use unas cuantas palabras."),
    "“{name}” is no name here.": ("« {name} » n’est pas un nom ici.", "«{name}» no es un nombre aquí."),
    "Use up to 40 letters, digits and spaces.": (
        "Jusqu’à 40 lettres, chiffres et espaces.",
        "Hasta 40 letras, cifras y espacios.",
    ),
    "There is no such person.": ("Cette personne n’existe pas.", "No hay ninguna persona así."),
    "They may have been removed; load the page again.": (
        "Elle a peut-être été retirée ; rechargez la page.",
        "Quizá se quitó; cargue la página de nuevo.",
    ),
    "Load the page again.": ("Rechargez la page.", "Cargue la página de nuevo."),
    "This is the last admin.": ("C’est le dernier administrateur.", "Es el último administrador."),
    "Make somebody else admin first.": (
        "Nommez d’abord quelqu’un d’autre administrateur.",
        "Haga antes administrador a otra persona.",
    ),
    "There is no role {role}.": ("Il n’y a pas de rôle {role}.", "No hay ninguna función {role}."),
    "There are {roles}.": ("Il y a {roles}.", "Hay {roles}."),
    "There is someone called {name} already.": (
        "Quelqu’un s’appelle déjà {name}.",
        "Ya hay alguien llamado {name}.",
    ),
    "Choose another name.": ("Choisissez un autre nom.", "Elija otro nombre."),
    "There are {n} people already.": ("Il y a déjà {n} personnes.", "Ya hay {n} personas."),
    "Remove some who no longer come.": (
        "Retirez-en qui ne viennent plus.",
        "Quite a quienes ya no vienen.",
    ),
    "The passphrase was changed just now.": (
        "La phrase secrète vient d’être changée.",
        "La frase secreta acaba de cambiarse.",
    ),
    "This was changed just now.": ("Cela vient d’être changé.", "Esto acaba de cambiarse."),
    "A program needs a name and a role.": (
        "Il faut à un programme un nom et un rôle.",
        "Un programa necesita un nombre y una función.",
    ),
    "Say what it is for.": ("Dites à quoi il sert.", "Diga para qué es."),
    "There are {n} programs already.": ("Il y a déjà {n} programmes.", "Ya hay {n} programas."),
    "Take some away first.": ("Retirez-en d’abord.", "Quite antes algunos."),
    # the desk
    "There is no such language model here.": (
        "Ce modèle de langue n’est pas ici.",
        "Ese modelo de lenguaje no está aquí.",
    ),
    "Choose one of the list.": ("Choisissez-en un de la liste.", "Elija uno de la lista."),
    "Nobody would start Lamplight again.": (
        "Personne ne redémarrerait Lamplight.",
        "Nadie volvería a arrancar Lamplight.",
    ),
    "Start it again by hand.": ("Redémarrez-le à la main.", "Arránquelo a mano."),
    "Only an admin switches the counting.": (
        "Seul un administrateur allume ou arrête le comptage.",
        "Solo un administrador enciende o apaga el recuento.",
    ),
    "Ask one.": ("Demandez-lui.", "Pídaselo."),
    "This is an ordinary computer: it has no helper.": (
        "C’est un ordinateur ordinaire : il n’a pas d’assistant.",
        "Es un ordenador corriente: no tiene ayudante.",
    ),
    "This works on the card alone.": (
        "Cela ne marche que sur la carte.",
        "Esto funciona solo en la tarjeta.",
    ),
    "The label cannot be made.": ("L’étiquette ne peut pas être faite.", "La etiqueta no se puede hacer."),
    "The label was not made within {n} s.": (
        "L’étiquette n’a pas été faite en {n} s.",
        "La etiqueta no se hizo en {n} s.",
    ),
    "Ask again later.": ("Redemandez plus tard.", "Vuelva a pedirla más tarde."),
    "The label is being made.": ("L’étiquette est en train d’être faite.", "La etiqueta se está haciendo."),
}
