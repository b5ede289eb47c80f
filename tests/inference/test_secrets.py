from __future__ import annotations

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st
from planted_secrets import ORDINARY, Planted, drawn, planted

from inference.secrets import find_secrets, mask_secrets

# put together here, so that no scanner of this repository finds a secret in it
SECRETS = {
    "model key": "sk-" + "ant-api03-" + "a1B2" * 8,
    "cloud key": "AKIA" + "IOSFODNN7EXAMPLE",
    "github token": "ghp_" + "a1B2c3" * 6,
    "slack token": "xoxb-" + "123456789012-abcdefGHIJ",
    "payment key": "sk_" + "live_" + "a1B2" * 6,
    "google key": "AIza" + "a1B2c" * 7,
    "web token": "eyJ" + "hbGciOiJIUzI1NiJ9" + ".eyJ" + "zdWIiOiIxMjM0In0" + ".c2lnbmF0dXJl",
    "private key": "-----BEGIN RSA PRIVATE " + "KEY-----\nMIIabc\n-----END RSA PRIVATE KEY-----",
}


@pytest.mark.parametrize("form", SECRETS)
def test_a_known_form_is_masked_in_place(form: str) -> None:
    assert mask_secrets(f"before {SECRETS[form]} after") == f"before [masked: {form}] after"


@pytest.mark.parametrize(
    ("text", "masked"),
    [
        ("password: hunter22", "password: [masked: stated secret]"),
        ('api_key = "9f8e7d6c5b"', 'api_key = "[masked: stated secret]"'),
        ("my password is Tr0ub4dor&3", "my password is [masked: stated secret]"),
        ("postgres://ada:s3cret@db/x", "postgres://[masked: password in a link]@db/x"),
        ("Authorization: Bearer abcdefghij0123456789xyz", "Authorization: Bearer [masked: bearer token]"),
    ],
)
def test_a_secret_by_its_place(text: str, masked: str) -> None:
    assert mask_secrets(text) == masked


@pytest.mark.parametrize("said", tuple(planted()), ids=lambda said: said.text[:40])
def test_no_form_of_a_secret_is_missed_whole_or_in_part(said: Planted) -> None:
    masked = mask_secrets(said.text)
    parts = {said.value[start : start + 5] for start in range(len(said.value) - 4)}
    assert [part for part in parts if part in masked] == []


def test_every_convention_of_naming_is_one_name() -> None:
    value = drawn(1)
    for name in (
        "DB_PASSWORD",
        "dbPassword",
        "db-password",
        "db.password",
        "DbPassword",
        "dbpassword",
        "$dbPassword",
    ):
        for assigned in (
            "{}={}",
            "{}: {}",
            '"{}": "{}"',
            "{} => '{}'",
            "{} := {}",
            "<{}>{}</x>",
            "`{}`: `{}`",
        ):
            text = assigned.format(name, value)
            assert value not in mask_secrets(text), text


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_talk_and_placeholders_are_left_alone(text: str) -> None:
    assert mask_secrets(text) == text


@pytest.mark.parametrize(
    "piece",
    [
        "password", "password=", "token: ", "key ", "://a", "://a:b", "a@", "-----BEGIN PRIVATE KEY-----\n",
        "Authorization: ", "Cookie: a=", "a1B2", "aB1_", "1 2 ", "| password |\n", "password,user\n", "eyJ",
        "mysql -", "echo a ", "data:\n", "kind: Secret\n", "the pin ", '"value": ', "((((", "<password ",
    ],
)  # fmt: skip
def test_the_time_grows_with_the_text_and_no_faster(piece: str) -> None:
    def seconds(characters: int) -> float:
        text = f"{piece * (characters // len(piece))}{characters}"
        begun = process_time()
        list(find_secrets(text))
        return process_time() - begun

    seconds(1_000)
    # four times the text takes sixteen times as long where the time is quadratic
    short, long = (
        min(seconds(8_000 + one) for one in range(2)),
        min(seconds(32_000 + one) for one in range(2)),
    )
    assert long < 10 * short + 0.05


@pytest.mark.parametrize(
    "said",
    [
        "PASSWORD: hunter22", "pwd=hunter22", "paſſword: hunter22", "MOT DE PASSE: hunter22",
        "the login is hunter22", "client secret: hunter22", "api\tkey is hunter22", "apİ-key: hunter22",
        "recovery phrase: hunter22", "CONTRASEÑA: hunter22",
        "credentials are hunter22", "the mdp is hunter22",
    ],
)  # fmt: skip
def test_the_quick_look_misses_no_way_of_writing(said: str) -> None:
    assert "hunter22" not in mask_secrets(said)


@pytest.mark.parametrize(
    "called", ["PIN", "pın", "puk", "CVV2", "door code", "safe combo", "gate combination"]
)
def test_the_quick_look_misses_no_code(called: str) -> None:
    assert mask_secrets(f"the {called} is 4711") == f"the {called} is [masked: code]"


@given(st.text())
def test_masking_twice_is_masking_once(text: str) -> None:
    once = mask_secrets(text)
    assert mask_secrets(once) == once


@given(st.text(alphabet="sk-BEGINeyJ.pasword:= \n1a"))
def test_secrets_are_in_order_and_apart(text: str) -> None:
    ends = [0]
    for secret in find_secrets(text):
        assert ends[-1] <= secret.start < secret.end <= len(text)
        ends.append(secret.end)
