"""How the sync of a Git source ended, and the next step, in French and Spanish. `phrases` says them."""

SYNCS = {  # English: (French, Spanish)
    "It was not synced yet.": ("Elle n’a pas encore été synchronisée.", "Aún no se ha sincronizado."),
    "The box tries again by itself.": ("La boîte réessaie toute seule.", "La caja lo intenta de nuevo sola."),
    "If it was renamed or moved, remove this source and add it under its new address.": (
        "S’il a été renommé ou déplacé, retirez cette source et ajoutez-la sous sa nouvelle adresse.",
        "Si se le cambió el nombre o el lugar, quite esta fuente y añádala con su nueva dirección.",
    ),
    "Sync again; if it stays so, ask who runs its host.": (
        "Synchronisez à nouveau ; si cela reste ainsi, demandez à qui tient son hôte.",
        "Sincronice de nuevo; si sigue así, pregunte a quien lleva su servidor.",
    ),
    "Sync again when it suits.": (
        "Synchronisez à nouveau quand vous voudrez.",
        "Sincronice de nuevo cuando le convenga.",
    ),
    "The sync was stopped.": ("La synchronisation a été arrêtée.", "La sincronización se detuvo."),
    "{host} now has another host key than before{new}.": (
        "{host} a maintenant une autre clé d’hôte qu’avant{new}.",
        "{host} tiene ahora otra clave de servidor que antes{new}.",
    ),
    "Ask who runs it whether that is so; only then trust the new key. Until then nothing is fetched.": (
        "Demandez à qui le tient si c’est bien le cas ; alors seulement faites confiance à la nouvelle clé. "
        "D’ici là rien n’est récupéré.",
        "Pregunte a quien lo lleva si es así; solo entonces confíe en la clave nueva. Hasta entonces no se "
        "trae nada.",
    ),
    "{host} has a host key that is not known.": (
        "{host} a une clé d’hôte inconnue.",
        "{host} tiene una clave de servidor desconocida.",
    ),
    "Ask who runs it, then trust the new key.": (
        "Demandez à qui le tient, puis faites confiance à la nouvelle clé.",
        "Pregunte a quien lo lleva y luego confíe en la clave nueva.",
    ),
    "{host} sends the box on to another address.": (
        "{host} renvoie la boîte vers une autre adresse.",
        "{host} remite la caja a otra dirección.",
    ),
    "Give the address that it leads to; the box does not follow by itself.": (
        "Donnez l’adresse vers laquelle il renvoie ; la boîte ne suit pas d’elle-même.",
        "Dé la dirección a la que lleva; la caja no la sigue por sí sola.",
    ),
    "{host} does not know this box's key.": (
        "{host} ne connaît pas la clé de cette boîte.",
        "{host} no conoce la clave de esta caja.",
    ),
    "Give this box's key (shown beside the source) to the repository as a deploy key, for reading only.": (
        "Donnez la clé de cette boîte (à côté de la source) au dépôt comme clé de déploiement, en lecture "
        "seule.",
        "Dé la clave de esta caja (junto a la fuente) al repositorio como clave de despliegue, solo de "
        "lectura.",
    ),
    "{host} asks for a name and password.": (
        "{host} demande un nom et un mot de passe.",
        "{host} pide un nombre y una contraseña.",
    ),
    "Use the address for SSH (git@host:team/wiki.git), and give it this box's key.": (
        "Prenez l’adresse pour SSH (git@host:team/wiki.git), et donnez-lui la clé de cette boîte.",
        "Use la dirección para SSH (git@host:team/wiki.git), y dele la clave de esta caja.",
    ),
    "{host} does not let the box read this.": (
        "{host} ne laisse pas la boîte lire cela.",
        "{host} no deja que la caja lea esto.",
    ),
    "The repository is empty, or has no such branch.": (
        "Le dépôt est vide, ou n’a pas cette branche.",
        "El repositorio está vacío, o no tiene esa rama.",
    ),
    "Wait for its first commit, or remove this source and add it with another branch.": (
        "Attendez son premier commit, ou retirez cette source et ajoutez-la avec une autre branche.",
        "Espere su primer commit, o quite esta fuente y añádala con otra rama.",
    ),
    "{host} has no such repository, or does not show it to this box.": (
        "{host} n’a pas ce dépôt, ou ne le montre pas à cette boîte.",
        "{host} no tiene ese repositorio, o no se lo muestra a esta caja.",
    ),
    "{host} has no such repository.": ("{host} n’a pas ce dépôt.", "{host} no tiene ese repositorio."),
    "An object of the repository is not as it should be.": (
        "Un objet du dépôt n’est pas comme il doit être.",
        "Un objeto del repositorio no es como debe ser.",
    ),
    "`git fsck` at its host says which; nothing of it was taken.": (
        "`git fsck` chez son hôte dit lequel ; rien n’en a été pris.",
        "`git fsck` en su servidor dice cuál; no se tomó nada de él.",
    ),
    "An object of the repository is missing here.": (
        "Un objet du dépôt manque ici.",
        "Falta aquí un objeto del repositorio.",
    ),
    "It is fetched anew at the next sync.": (
        "Il sera récupéré à la prochaine synchronisation.",
        "Se trae de nuevo en la próxima sincronización.",
    ),
    "The certificate of {host} cannot be trusted.": (
        "On ne peut pas se fier au certificat de {host}.",
        "No se puede confiar en el certificado de {host}.",
    ),
    "For a host with its own authority name the certificate file in the setting `git_certificates`.": (
        "Pour un hôte avec sa propre autorité, nommez le fichier du certificat dans le réglage "
        "`git_certificates`.",
        "Para un servidor con autoridad propia, nombre el archivo del certificado en el ajuste "
        "`git_certificates`.",
    ),
    "The certificate of {host} is for another name.": (
        "Le certificat de {host} est pour un autre nom.",
        "El certificado de {host} es para otro nombre.",
    ),
    "Give the name that it is for.": (
        "Donnez le nom pour lequel il est fait.",
        "Dé el nombre para el que es.",
    ),
    "The disk is full.": ("Le disque est plein.", "El disco está lleno."),
    "The disk: {why}.": ("Le disque : {why}.", "El disco: {why}."),
    "Delete what is not needed.": ("Supprimez ce qui ne sert pas.", "Borre lo que no haga falta."),
    "Delete what is not needed, then sync again.": (
        "Supprimez ce qui ne sert pas, puis synchronisez à nouveau.",
        "Borre lo que no haga falta y sincronice de nuevo.",
    ),
    "{host} is not found on this network.": (
        "{host} est introuvable sur ce réseau.",
        "{host} no se encuentra en esta red.",
    ),
    "{host} does not answer.": ("{host} ne répond pas.", "{host} no responde."),
    "{host} takes no connection.": ("{host} n’accepte pas de connexion.", "{host} no acepta conexiones."),
    "There is no way to {host} from this network.": (
        "Aucun chemin ne mène à {host} depuis ce réseau.",
        "No hay camino a {host} desde esta red.",
    ),
    "The box needs a network that leads there; it tries again by itself.": (
        "Il faut à la boîte un réseau qui y mène ; elle réessaie toute seule.",
        "La caja necesita una red que lleve allí; lo intenta de nuevo sola.",
    ),
    "The connection to {host} has come to a standstill.": (
        "La connexion à {host} s’est figée.",
        "La conexión con {host} se ha detenido.",
    ),
    "{host} closed the connection.": ("{host} a fermé la connexion.", "{host} cerró la conexión."),
    "{host} is not opened from here.": (
        "{host} n’est pas une adresse que cette boîte ouvre.",
        "{host} no se abre desde aquí.",
    ),
    "{host} is {address}, which is not opened from here.": (
        "{host} est {address}, que cette boîte n’ouvre pas.",
        "{host} es {address}, que desde aquí no se abre.",
    ),
    "The setting `git_reach` says which addresses are; those of the box itself only with `all`.": (
        "Le réglage `git_reach` dit lesquelles le sont ; celles de la boîte même seulement avec `all`.",
        "El ajuste `git_reach` dice cuáles sí; las de la caja misma solo con `all`.",
    ),
    "The repository has no commit.": (
        "Le dépôt n’a pas de commit.",
        "El repositorio no tiene ningún commit.",
    ),
    "Wait for its first commit.": ("Attendez son premier commit.", "Espere su primer commit."),
    "The repository has too many files.": (
        "Le dépôt a trop de fichiers.",
        "El repositorio tiene demasiados archivos.",
    ),
    "The repository has {n} Markdown files; at most {most} are read.": (
        "Le dépôt a {n} fichiers Markdown ; on en lit au plus {most}.",
        "El repositorio tiene {n} archivos Markdown; se leen como mucho {most}.",
    ),
    "Name a branch with fewer.": ("Nommez une branche qui en a moins.", "Nombre una rama con menos."),
    "The repository is larger than {n} MiB.": (
        "Le dépôt dépasse {n} Mio.",
        "El repositorio pasa de {n} MiB.",
    ),
    "Setting `git_size` says how large one may be; nothing of it was taken.": (
        "Le réglage `git_size` dit quelle taille est permise ; rien n’en a été pris.",
        "El ajuste `git_size` dice qué tamaño se permite; no se tomó nada.",
    ),
    "The fetch took longer than {n} minutes.": (
        "La récupération a pris plus de {n} minutes.",
        "Traerlo tardó más de {n} minutos.",
    ),
    "git is not installed here.": ("git n’est pas installé ici.", "git no está instalado aquí."),
    "Install it (apt install git), then sync again.": (
        "Installez-le (apt install git), puis synchronisez à nouveau.",
        "Instálelo (apt install git) y sincronice de nuevo.",
    ),
    "ssh-keygen is not installed here.": (
        "ssh-keygen n’est pas installé ici.",
        "ssh-keygen no está instalado aquí.",
    ),
    "Install it (apt install openssh-client), then try again.": (
        "Installez-le (apt install openssh-client), puis réessayez.",
        "Instálelo (apt install openssh-client) e inténtelo de nuevo.",
    ),
    "ssh-keygen gives no answer.": ("ssh-keygen ne répond pas.", "ssh-keygen no responde."),
    "git could not read the repository: {why}.": (
        "git n’a pas pu lire le dépôt : {why}.",
        "git no pudo leer el repositorio: {why}.",
    ),
}
