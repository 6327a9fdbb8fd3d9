"""A real transformers tokenizer over 61 characters: one id, one character, nothing special."""

from functools import cache

from tokenizers import Regex, Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast

ALPHABET = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ .,:;!?-\n"

_CHAT_TEMPLATE = (
    "{% for message in messages %}{{ message.role[0] }}:{{ message.content }}\n{% endfor %}"
)


@cache
def toy_tokenizer() -> PreTrainedTokenizerFast:
    """Characters outside the alphabet become spaces."""
    vocabulary = {character: index for index, character in enumerate(ALPHABET)}
    toy = Tokenizer(models.WordLevel(vocabulary, unk_token=" "))
    toy.pre_tokenizer = pre_tokenizers.Split(Regex(r"[\s\S]"), "isolated")
    toy.decoder = decoders.Fuse()
    return PreTrainedTokenizerFast(
        tokenizer_object=toy,
        chat_template=_CHAT_TEMPLATE,
        clean_up_tokenization_spaces=False,
    )
