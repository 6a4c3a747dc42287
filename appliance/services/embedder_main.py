"""The embedder process's start: loads the models and serves them. The one part of `services` that needs
onnxruntime."""

from appliance import models
from appliance.embedding import Embedder
from appliance.retrieval.readers import open_reader
from appliance.services import process, runtime
from appliance.services.embedder_app import create_app
from appliance.settings import Settings


def serve(settings: Settings) -> None:
    """The process: until SIGTERM. Raises ModelFileError when the model's files are not here or not
    the right ones: vectors of another model would be compared with those of the indexes."""
    runtime.prepare(settings.runtime)
    model, tokenizer = (models.verify(settings.home, name) for name in models.EMBEDDING)
    app = create_app(Embedder(model, tokenizer, settings.threads), open_reader(settings))
    process.serve(app, runtime.socket_path(settings.runtime, "embedder"))
