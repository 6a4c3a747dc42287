"""What the checks of the box say: sentences with places for values, which the desk has in its languages, too.
Standard library alone."""

SETTINGS = "Settings"
MODEL = "Model for this board"
WIFI = "Wi-Fi"
ADDRESSES = "Addresses and names"
MEMORY = "Memory"
TEMPERATURE = "Temperature"
SPEED = "Speed"
POWER = "Power"
DATA = "Data"
SPACE = "Space on the card"
CARD = "Card"
WRITING = "Writing to the card"
BY_KERNEL = "Card, by the kernel"
CLOCK = "Clock"
PROGRAM = "Program"
PROGRAMS = "Programs"
PHONES = "Phones"
HELPER = "Helper"

# The set-up, and what must run
UNREAD = "The owner's settings were not read."
START_AGAIN = "Start the box again."
NOT_OPEN = "Nobody can join: the network is not open."
NO_ADDRESS = "Phones get no address: dnsmasq does not run."
JOURNAL = "Start the box again; the journal of {unit} says why."
REFUSED = "The radio refused the band, channel or country of lamplight.toml; the usual ones are used."
CORRECT = "Correct them, and start the box again."
NETWORK = "{ssid}. At most {n} phones at once."

# Memory, heat, power
FREE_MB = "{free} of {whole} MB are free."
SMALLER = "Choose a smaller model or none."
COOL_NOW = "The board slows down a lot: give it air or a cooler now."
COOL = "The board slows down: give it air or a cooler."
WARM = "From {hot} °C on the board slows down."
HELD_BACK = "The processor is held back because of the heat: step {step} of {most}."
AIR = "Give the board air or a cooler; answers are slower until then."
FAST = "The processor runs as fast as it can."
LOW_VOLTAGE = "The supply's voltage is too low."
SUPPLY = "Use the supply that is made for this board, and a short cable."
UNWATCHED = "This kernel does not watch the supply."

# The card
NO_DATA = "The data partition cannot be read: {why}."
FREE_GB = "{free} of {whole} GB are free."
REMOVE = "Remove what is no longer needed."
ERRORS = "Its file systems have met errors ({where})."
NO_ERROR = "No error of its file systems is known."
READ_ONLY = "The data partition can only be read: the kernel has stopped writing to it after an error."
AGAIN = "Start the box again. If it comes back, make a backup and write a new card."
BY_LOG = "Errors with it that the kernel has met since this start: {n}. The last: {last}"
REPLACE = "Make a backup, then write a new card. Cards wear out; a good one of a known make lasts longer."

# The clock
NOT_LIKELY = "It stands at {now}, and the image was made on {built}."
SET = "Set it from a phone or a computer: page Clock."
NO_TIME = "No time is kept on the card: after a power cut the clock starts at the image's date."
LOOK = "Look at the card: it may be full, or no longer written to."
NOT_KEPT = "The time is not kept any more, last at {last}."
WAS_SET = "{now}. No battery; it was set since this start."
NO_BATTERY = (
    "{now}, by the time that was kept: the board has no battery, and the time without power is missing."
)

# Programs and phones
GONE = "{unit} ({does}) does not run."
LOGS = "The logs say why."
KILLED = "{unit} ({does}) was ended {n} times for want of memory."
RESTARTED = "{unit} ({does}) was started again: {n} times so far."
ALL_RUN = "All {n} run, and none was started again."
ABOUT = "About {n} in the last hour; at most {most} at once."
MORE_PHONES = 'More phones than this need an access point on the cable (ethernet = "serve").'
