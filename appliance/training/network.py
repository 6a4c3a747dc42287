"""The reader's network: late interaction with a learned head, over the token vectors of a small encoder.

Question and passage go through the same encoder (MiniLM, six layers) by themselves. Then every word of the
question looks for the words of the passage that are nearest to it:

    nearest   the best cosine of each question token, summed by learnt weights (ColBERT's MaxSim, Khattab and
              Zaharia 2020, with weights instead of a plain sum)
    compared  each question token against a soft reading of the passage (decomposable attention, Parikh et
              al. 2016), through a small network
    pointed   the passage token that looks most like what the question asks for, learnt from answer spans

and one logit comes out: the passage answers the question.
"""

from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.nn import functional
from transformers import BertConfig, BertModel

QUESTION_TOKENS = 40
PASSAGE_TOKENS = 160
PAD = 0
_SPECIAL = (101, 102)  # [CLS], [SEP]
_TOGETHER = 10
_SHARPNESS = 12.0  # of the soft reading, at the start


@dataclass(frozen=True)
class Scores:
    """For q questions and p passages: `logits` [q, p]; `pointers` [q, p, tokens], what each token of the
    passage is worth as the answer."""

    logits: Tensor
    pointers: Tensor


def load_encoder(folder: Path, layers: int) -> BertModel:
    """The encoder of a folder with config.json and model.safetensors, its first `layers` layers."""
    config = BertConfig.from_pretrained(folder, attn_implementation="eager")
    model = BertModel.from_pretrained(folder, config=config, add_pooling_layer=False)
    model.encoder.layer = model.encoder.layer[:layers]
    return model


class Reader(nn.Module):
    """`forward(question_ids [1, tq], passage_ids [n, tp])` gives (logits [n], pointers [n, tp])."""

    def __init__(self, encoder: BertModel, hidden: int = 64) -> None:
        super().__init__()
        size = encoder.config.hidden_size
        self.encoder = encoder
        self.importance = nn.Linear(size, 1)
        self.sharpness = nn.Parameter(torch.tensor(_SHARPNESS))
        self.asked_for = nn.Linear(2 * size, size)
        self.compare = nn.Sequential(
            nn.Linear(2 * size, hidden), nn.GELU(), nn.Linear(hidden, hidden), nn.GELU()
        )
        self.join = nn.Linear(hidden + 5, 1)
        self.near = nn.Parameter(torch.tensor([16.0, -9.0]))  # logit = near[0] * nearest + near[1] + the rest
        nn.init.zeros_(self.join.weight)
        nn.init.zeros_(self.join.bias)
        nn.init.zeros_(self.importance.weight)
        nn.init.zeros_(self.importance.bias)

    def states(self, ids: Tensor) -> Tensor:
        """[n, t, size] of token ids padded with PAD."""
        if not self.training or len(ids) < 2 * _TOGETHER:
            return self._encoded(ids)
        lengths = (ids != PAD).sum(1)
        order = lengths.argsort()
        parts = []
        for rows in order.split(_TOGETHER):  # passages of like length together: less padding to compute
            width = int(lengths[rows].max())
            found = self._encoded(ids[rows, :width])
            parts.append(functional.pad(found, (0, 0, 0, ids.shape[1] - width)))
        return torch.cat(parts)[order.argsort()]

    def _encoded(self, ids: Tensor) -> Tensor:
        states: Tensor = self.encoder(input_ids=ids, attention_mask=(ids != PAD).long()).last_hidden_state
        return states

    def scores(self, question_ids: Tensor, passage_ids: Tensor) -> Scores:
        """Every question against every passage."""
        return self.interact(self.states(question_ids), question_ids, self.states(passage_ids), passage_ids)

    def interact(self, q: Tensor, question_ids: Tensor, p: Tensor, passage_ids: Tensor) -> Scores:
        q_unit, p_unit = functional.normalize(q, dim=-1), functional.normalize(p, dim=-1)
        words = (question_ids != PAD) & (question_ids != _SPECIAL[0]) & (question_ids != _SPECIAL[1])
        held = (passage_ids != PAD) & (passage_ids != _SPECIAL[0]) & (passage_ids != _SPECIAL[1])
        weight = functional.softplus(self.importance(q).squeeze(-1)) * words
        weight = weight / weight.sum(1, keepdim=True).clamp_min(1e-6)  # [q, i]
        # [q, p, i, j]
        cosine = torch.matmul(q_unit[:, None], p_unit.transpose(1, 2)[None])
        cosine = cosine.masked_fill(~held[None, :, None, :], -1.0)
        best = cosine.amax(-1)
        nearest = (best * weight[:, None]).sum(-1)
        missed = (functional.relu(0.6 - best) * weight[:, None]).sum(-1)
        worst = (best + 2.0 * (~words[:, None])).amin(-1)
        attention = torch.softmax(cosine * self.sharpness, dim=-1)
        reading = torch.matmul(attention, p_unit[None])  # [q, p, i, size]
        pair = torch.cat([q_unit[:, None] * reading * 20.0, (q_unit[:, None] - reading).abs() * 5.0], dim=-1)
        compared = (self.compare(pair) * weight[:, None, :, None]).sum(2)  # [q, p, hidden]
        whole = torch.cat([(q * weight[:, :, None]).sum(1), q[:, 0]], dim=-1)
        wanted = self.asked_for(whole)  # [q, size]
        pointers = torch.matmul(p, wanted.T).permute(2, 0, 1) / p.shape[-1] ** 0.5  # [q, p, j]
        said = (cosine.amax(2) > 0.75) & held[None]  # a word of the question is no answer to it
        pointers = pointers.masked_fill(~held[None] | said, -30.0)
        around = (attention * weight[:, None, :, None]).sum(2)  # [q, p, j]: where the question is spoken of
        features = torch.stack(
            [
                missed,
                worst,
                pointers.amax(-1) * 0.1,
                pointers.logsumexp(-1) * 0.1,
                (pointers.softmax(-1) * around).sum(-1) * 10.0,
            ],
            dim=-1,
        )
        logits = self.near[0] * nearest + self.near[1]
        logits = logits + self.join(torch.cat([compared, features], dim=-1)).squeeze(-1)
        return Scores(logits, pointers)

    def forward(self, question_ids: Tensor, passage_ids: Tensor) -> tuple[Tensor, Tensor]:
        found = self.scores(question_ids, passage_ids)
        return found.logits[0], found.pointers[0]
