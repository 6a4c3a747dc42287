"""What goes wrong with backups, sticks and Git sources, and the next step, in French and Spanish."""

FAULTS = {  # English: (French, Spanish)
    # the store and sticks
    "The card or disk: {why}.": ("La carte ou le disque : {why}.", "La tarjeta o el disco: {why}."),
    "Free some space there. If it stays so, it is failing.": (
        "Libérez-y de la place. Si cela reste ainsi, elle ou il lâche.",
        "Libere espacio allí. Si sigue así, está fallando.",
    ),
    "This stick is no longer there.": ("Cette clé n’est plus là.", "Esta memoria ya no está."),
    "This stick is no longer there, or was refused.": (
        "Cette clé n’est plus là, ou a été refusée.",
        "Esta memoria ya no está, o fue rechazada.",
    ),
    "The stick {name} is no longer there.": ("La clé {name} n’est plus là.", "La memoria {name} ya no está."),
    "Plug it in again.": ("Rebranchez-la.", "Conéctela de nuevo."),
    "Plug the stick in again.": ("Rebranchez la clé.", "Conecte la memoria de nuevo."),
    "The stick {name} cannot be written to.": (
        "On ne peut pas écrire sur la clé {name}.",
        "No se puede escribir en la memoria {name}.",
    ),
    "The stick {name} was written to, but not closed.": (
        "La clé {name} a été écrite, mais pas refermée.",
        "La memoria {name} se escribió, pero no se cerró.",
    ),
    "Write it again.": ("Écrivez-la à nouveau.", "Escríbala de nuevo."),
    "People read from this stick now.": (
        "On lit sur cette clé en ce moment.",
        "Ahora se lee de esta memoria.",
    ),
    "Stop using it first.": ("Cessez d’abord de l’utiliser.", "Deje antes de usarla."),
    "There is no bundle here.": ("Il n’y a pas de lot ici.", "No hay ningún lote aquí."),
    "Copy one from a stick first.": ("Copiez-en d’abord un d’une clé.", "Copie antes uno de una memoria."),
    "{title} is still going on.": ("{title} est encore en cours.", "{title} sigue en marcha."),
    "Wait until it is done, or stop it.": (
        "Attendez que ce soit fini, ou arrêtez-le.",
        "Espere a que termine, o deténgalo.",
    ),
    # backups
    "Say first that everything may be replaced.": (
        "Dites d’abord que tout peut être remplacé.",
        "Diga antes que todo puede reemplazarse.",
    ),
    "Tick the box on the page.": ("Cochez la case sur la page.", "Marque la casilla de la página."),
    "Backups are on their way already.": ("Des sauvegardes sont déjà en route.", "Ya hay copias en camino."),
    "Wait until they are there.": ("Attendez qu’elles soient arrivées.", "Espere a que lleguen."),
    "This backup is no longer on the stick.": (
        "Cette sauvegarde n’est plus sur la clé.",
        "Esta copia ya no está en la memoria.",
    ),
    "No file came.": ("Aucun fichier n’est arrivé.", "No llegó ningún archivo."),
    "Choose the backup's file.": ("Choisissez le fichier de la sauvegarde.", "Elija el archivo de la copia."),
    "Give the backup's file.": ("Donnez le fichier de la sauvegarde.", "Dé el archivo de la copia."),
    "The backup cannot be taken in: {why}.": (
        "La sauvegarde ne peut pas être reçue : {why}.",
        "La copia no puede recibirse: {why}.",
    ),
    "The backup cannot be made: {why}": (
        "La sauvegarde ne peut pas être faite : {why}",
        "La copia no puede hacerse: {why}",
    ),
    "Free some space.": ("Libérez de la place.", "Libere espacio."),
    "Free some space, then try again.": (
        "Libérez de la place, puis réessayez.",
        "Libere espacio e inténtelo de nuevo.",
    ),
    "{what} needs {n} MB on the disk; {free} MB are free.": (
        "{what} demande {n} Mo sur le disque ; {free} Mo sont libres.",
        "{what} necesita {n} MB en el disco; {free} MB están libres.",
    ),
    "Another backup is being restored.": (
        "Une autre sauvegarde est en train d’être rétablie.",
        "Se está restaurando otra copia.",
    ),
    "Wait until it is done.": ("Attendez que ce soit fini.", "Espere a que termine."),
    "Start Lamplight again: then it is put in place.": (
        "Redémarrez Lamplight : elle sera alors mise en place.",
        "Arranque Lamplight de nuevo: entonces se pone en su sitio.",
    ),
    "This is no backup of a Lamplight.": (
        "Ce n’est pas une sauvegarde d’un Lamplight.",
        "Esto no es una copia de un Lamplight.",
    ),
    "A backup of the whole box is made by the desk's page Backup or `appliance backup`, one of documents "
    "alone by `appliance documents backup`.": (
        "Une sauvegarde de toute la boîte se fait à la page Sauvegarde du bureau ou par `appliance backup`, "
        "une des seuls documents par `appliance documents backup`.",
        "Una copia de toda la caja se hace en la página Copia de seguridad del despacho o con "
        "`appliance backup`, una solo de los documentos con `appliance documents backup`.",
    ),
    "Take another copy of the backup.": (
        "Prenez un autre exemplaire de la sauvegarde.",
        "Use otro ejemplar de la copia.",
    ),
    "The list of this backup cannot be read.": (
        "La liste de cette sauvegarde est illisible.",
        "La lista de esta copia no se puede leer.",
    ),
    "The list of this backup is not as it should be.": (
        "La liste de cette sauvegarde n’est pas comme elle doit être.",
        "La lista de esta copia no es como debe ser.",
    ),
    "This backup has format {found}; this version reads up to {most}.": (
        "Cette sauvegarde a le format {found} ; cette version lit jusqu’à {most}.",
        "Esta copia tiene el formato {found}; esta versión lee hasta {most}.",
    ),
    "Restore it with a newer Lamplight.": (
        "Rétablissez-la avec un Lamplight plus récent.",
        "Restáurela con un Lamplight más nuevo.",
    ),
    "The backup breaks off.": ("La sauvegarde s’interrompt.", "La copia se interrumpe."),
    "{part} of this backup is damaged.": (
        "{part} de cette sauvegarde est abîmé.",
        "{part} de esta copia está dañado.",
    ),
    "There is more in this backup than its list says.": (
        "Il y a plus dans cette sauvegarde que ne dit sa liste.",
        "Hay más en esta copia de lo que dice su lista.",
    ),
    "This backup has something else where {name} should be.": (
        "Cette sauvegarde a autre chose là où devrait être {name}.",
        "Esta copia tiene otra cosa donde debería estar {name}.",
    ),
    "{part} of this backup is no file.": (
        "{part} de cette sauvegarde n’est pas un fichier.",
        "{part} de esta copia no es un archivo.",
    ),
    "people.db of this backup has no place for the key of sessions.": (
        "people.db de cette sauvegarde n’a pas de place pour la clé des sessions.",
        "people.db de esta copia no tiene lugar para la clave de las sesiones.",
    ),
    "{part} of this backup cannot be used: {why}": (
        "{part} de cette sauvegarde est inutilisable : {why}",
        "{part} de esta copia no puede usarse: {why}",
    ),
    "Another program has {place} open.": (
        "Un autre programme a {place} ouvert.",
        "Otro programa tiene abierto {place}.",
    ),
    "End it, then try again.": ("Arrêtez-le, puis réessayez.", "Termínelo e inténtelo de nuevo."),
    "{part} of this backup has parts that run, which ours never has.": (
        "{part} de cette sauvegarde a des parties qui s’exécutent, ce que les nôtres n’ont jamais.",
        "{part} de esta copia tiene partes que se ejecutan, lo que las nuestras nunca tienen.",
    ),
    "{part} of this backup has other tables than this version's.": (
        "{part} de cette sauvegarde a d’autres tables que celles de cette version.",
        "{part} de esta copia tiene otras tablas que las de esta versión.",
    ),
    # adding a Git source
    "There is no source “{name}”.": ("Il n’y a pas de source « {name} ».", "No hay ninguna fuente «{name}»."),
    "The list of sources has their names.": (
        "La liste des sources donne leurs noms.",
        "La lista de fuentes tiene sus nombres.",
    ),
    "“{name}” is no name for a source.": (
        "« {name} » n’est pas un nom pour une source.",
        "«{name}» no es un nombre para una fuente.",
    ),
    "Use up to 40 small letters, digits and dashes.": (
        "Jusqu’à 40 minuscules, chiffres et tirets.",
        "Hasta 40 minúsculas, cifras y guiones.",
    ),
    "There are {n} sources.": ("Il y a {n} sources.", "Hay {n} fuentes."),
    "Remove one first.": ("Retirez-en d’abord une.", "Quite antes una."),
    "There is a source “{name}” already.": (
        "Il y a déjà une source « {name} ».",
        "Ya hay una fuente «{name}».",
    ),
    "Give another name.": ("Donnez un autre nom.", "Dé otro nombre."),
    "There is no such source.": ("Cette source n’existe pas.", "No hay ninguna fuente así."),
    "It may be for people who have signed in.": (
        "Elle est peut-être pour les personnes connectées.",
        "Quizá es para quien ha iniciado sesión.",
    ),
    "This address of a Git repository cannot be used.": (
        "Cette adresse de dépôt Git ne peut pas servir.",
        "Esta dirección de un repositorio Git no puede usarse.",
    ),
    "This is no address of a Git repository that is read here.": (
        "Ce n’est pas l’adresse d’un dépôt Git lu ici.",
        "No es la dirección de un repositorio Git que se lea aquí.",
    ),
    "Give an address like https://host/team/wiki.git or git@host:team/wiki.git.": (
        "Donnez une adresse comme https://host/team/wiki.git ou git@host:team/wiki.git.",
        "Dé una dirección como https://host/team/wiki.git o git@host:team/wiki.git.",
    ),
    "This is no name of a branch.": ("Ce n’est pas un nom de branche.", "No es un nombre de rama."),
    "Leave it empty for the repository's own.": (
        "Laissez vide pour celle du dépôt.",
        "Déjelo vacío para la del repositorio.",
    ),
    "The address holds a name or password.": (
        "L’adresse contient un nom ou un mot de passe.",
        "La dirección contiene un nombre o una contraseña.",
    ),
    "Leave it out; a private repository is read over SSH with this box's key.": (
        "Retirez-le ; un dépôt privé se lit par SSH avec la clé de cette boîte.",
        "Quítelo; un repositorio privado se lee por SSH con la clave de esta caja.",
    ),
    "{name} is being synced already.": (
        "{name} est déjà en synchronisation.",
        "{name} ya se está sincronizando.",
    ),
    "Wait until that ends.": ("Attendez que cela finisse.", "Espere a que termine."),
    "The source {name} has no such file.": (
        "La source {name} n’a pas ce fichier.",
        "La fuente {name} no tiene ese archivo.",
    ),
    "It may have been moved or deleted there.": (
        "Il y a peut-être été déplacé ou supprimé.",
        "Quizá se movió o se borró allí.",
    ),
    "{name} is no file with an end.": (
        "{name} n’est pas un fichier qui a une fin.",
        "{name} no es un archivo que tenga fin.",
    ),
    "Give plain files.": ("Donnez de simples fichiers.", "Dé archivos corrientes."),
    "Look at who may read it.": ("Regardez qui peut le lire.", "Mire quién puede leerlo."),
}
