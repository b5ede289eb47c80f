"""Secrets of every form that people paste and programs print, each in a sentence of talk.

The values are drawn here, so that no scanner of this repository finds a secret in it.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator
from dataclasses import dataclass

_LETTERS = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"


@dataclass(frozen=True, slots=True)
class Planted:
    """A text, and what of it nobody else may see."""

    text: str
    value: str


def drawn(number: int, length: int = 14, letters: str = _LETTERS) -> str:
    """A value that looks as if a machine drew it; the same for the same number."""
    digits = int(hashlib.sha512(str(number).encode()).hexdigest(), 16)
    value = ""
    while len(value) < length:
        digits, place = divmod(digits, len(letters))
        value += letters[place]
        digits = digits or int(hashlib.sha512(value.encode()).hexdigest(), 16)
    return value if any(map(str.isdigit, value)) else f"{value[:-1]}7"


HEX = "0123456789abcdef"
CAPITALS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"

ASSIGNED = (
    "I put AWS_SECRET_ACCESS_KEY={} into the file.",
    "The pod has OPENAI_API_KEY={} in its environment.",
    "Start it with DB_PASSWORD={} please.",
    "CI runs with GITHUB_TOKEN={} set.",
    "export STRIPE_WEBHOOK_SECRET='{}'",
    "PGPASSWORD={} psql -h db garden",
    "$env:API_KEY = \"{}\"",
    "set FTP_PASS={}",
    "ENV NPM_AUTH_TOKEN {}",
    'The answer was {{"refresh_token": "{}", "expires_in": 3600}} in the log.',
    'It says {{\\"accessToken\\": \\"{}\\"}} when escaped.',
    "jwt_secret: {}",
    "clientSecret: '{}',",
    "app.config['SECRET_KEY'] = '{}'",
    "secret_key => '{}'",
    "password := \"{}\"",
    "db.password={}",
    "spring.datasource.password: {}",
    "private String apiKey = \"{}\";",
    "password: str = \"{}\"",
    'os.environ["HUB_TOKEN"] = "{}"',
    'client.setPassword("{}");',
    'request.header("X-Auth-Token", "{}")',
    "X-Api-Key: {}",
    "mysql_root_password2: {}",
    "dbPassword={}",
    "userpassword={}",
    "ENCRYPTION_KEY={}",
    "session_key: {}",
    "auth = {}",
    "signing-secret={}",
    "my-service --password {} --port 80",
    "my-service --api-key={}",
    "java -Djavax.net.ssl.keyStorePassword={} Main",
    "Server=db;User Id=ola;Password={};Encrypt=yes",
    "AccountName=ola;AccountKey={};EndpointSuffix=core",
    "<password>{}</password>",
    '<ns:clientSecret type="plain">{}</ns:clientSecret>',
    '<add key="Password" value="{}" />',
    '<input name="csrf_token" value="{}">',
    '{{"name": "DB_PASSWORD", "value": "{}"}}',
    "- name: DB_PASSWORD\n  value: {}",
    "| password | {} |",
    "**Password:** {}",
    "- `API_TOKEN`: `{}`",
    "Password:\n{}\n",
    "machine example.org login ola password {}",
    "Password＝{}",
    "contraseña: {}",
    "Passwort: {}",
    "mot_de_passe={}",
    "wpa psk=\"{}\"",
    "login: ola / {}",
    "aws configure set aws_secret_access_key {}",
    "echo '{}' > password.txt",
    "jwt.encode(payload, '{}')",
    "The secret for the webhook is {}, says Odile.",
    "https://example.org/cb?access_token={}&state=1",
    "https://example.org/blob?sv=2024&sig={}",
)  # fmt: skip
PLACED = (
    "postgres://ola:{}@db/garden",
    "redis://:{}@cache:6379/0",
    "postgres: //ola: {}@db",
    "https://{}@example.org/ola/garden.git",
    "ola:{}@tcp(127.0.0.1:3306)/garden",
    "Authorization: Bearer {}",
    "curl -H 'Authorization: Token {}' https://example.org",
    "Proxy-Authorization: Digest {}",
    "Cookie: theme=dark; session={}",
    "Set-Cookie: sid={}; HttpOnly",
    "curl -u ola:{} https://example.org",
    "sshpass -p {} ssh ola@example.org",
    "mysql -uroot -p{} garden",
    "redis-cli -a {} ping",
    "CREATE USER ola IDENTIFIED BY '{}';",
    "ALTER USER ola WITH PASSWORD '{}';",
    "echo {} | sudo -S reboot",
    "| user | password |\n|---|---|\n| ola | {} |",
    "name,url,username,password\nbank,https://example.org,ola,{}",
    "apiVersion: v1\nkind: Secret\ndata:\n  pin: {}",
)  # fmt: skip
TOLD = (
    "The wifi password is {}",
    "Our guest login is ola and the password for it is {}.",
    "Das Passwort lautet {}",
    "la contraseña es {}",
    "パスワードは{}です",
)
ISSUED = (
    ("AKIA", 16, CAPITALS), ("ghp_", 36, _LETTERS), ("github_pat_", 60, _LETTERS), ("glpat-", 20, _LETTERS),
    ("sk-proj-", 40, _LETTERS), ("sk-ant-api03-", 40, _LETTERS), ("hf_", 34, _LETTERS),
    ("gsk_", 40, _LETTERS), ("sk_live_", 24, _LETTERS),
    ("whsec_", 32, _LETTERS), ("xoxb-", 40, _LETTERS), ("AIza", 35, _LETTERS),
    ("GOCSPX-", 28, _LETTERS), ("npm_", 36, _LETTERS), ("dop_v1_", 64, HEX), ("dapi", 32, HEX),
    ("shpat_", 32, HEX), ("lin_api_", 40, _LETTERS), ("hvs.", 90, _LETTERS), ("glsa_", 32, _LETTERS),
    ("pscale_pw_", 40, _LETTERS), ("ATATT3", 60, _LETTERS), ("dckr_pat_", 27, _LETTERS),
    ("ntn_", 46, _LETTERS),
)  # fmt: skip


def planted() -> Iterator[Planted]:
    """Every form once, each with a value of its own."""
    for number, form in enumerate((*ASSIGNED, *PLACED, *TOLD)):
        value = drawn(number)
        yield Planted(form.format(value), value)
    for number, (prefix, length, letters) in enumerate(ISSUED):
        value = drawn(1000 + number, length, letters)
        # Grafana's ends in a checksum
        whole = f"{prefix}{value}_{drawn(number, 8, HEX)}" if prefix == "glsa_" else f"{prefix}{value}"
        yield Planted(f"They gave me {whole} yesterday.", value)
    pair = base64.b64encode(f"ola:{drawn(2000)}".encode()).decode()
    yield Planted(f"It sends Basic {pair} each time.", pair)
    body = "\n".join(drawn(2100 + line, 64) for line in range(4))
    for name in ("RSA PRIVATE", "OPENSSH PRIVATE", "ENCRYPTED PRIVATE"):
        text = f"-----BEGIN {name} KEY-----\n{body}\n-----END {name} KEY-----"
        yield Planted(text, body.split("\n")[2])
    yield Planted(f"-----BEGIN EC PRIVATE KEY-----\n{body}", body.split("\n")[3])
    yield Planted("My card is 4111 1111 1111 1111 until May.", "4111 1111 1111 1111")
    yield Planted("My account is DE89 3704 0044 0532 0130 00 there.", "DE89 3704 0044 0532 0130 00")
    yield Planted("The door code is 48213.", "48213")


ORDINARY = (
    "The password is reset every month.",
    "I forgot my password again and had to reset it.",
    "Which password manager do you recommend?",
    "My secret is that I love rye bread.",
    "The secret: patience and good flour.",
    "Her secret ingredient is nutmeg.",
    "A token of my appreciation: a cake.",
    "A token is about 4 characters of English.",
    "The model takes 8192 tokens and max_tokens: 1024 is set.",
    "The key to a good dough is time.",
    "The key: do not hurry.",
    "Press the key F5 to refresh.",
    "I left my keys at 12:30 on the table.",
    "The primary key is user_id and the foreign key is order_id.",
    "sort_key = created_at",
    "public_key = load(path)",
    "Ask the secretary: she knows.",
    "The compass: 300 degrees north-west.",
    "The bus pass: 49 euros a month.",
    "Tests pass: 300 of 300.",
    "Pass: the salt, please.",
    "My monkey: 12 years old.",
    "The session: 45 minutes on Monday.",
    "The session is on 2026-05-01 at 14:30.",
    "The signature: the last page of the contract.",
    "Season with salt: 12 grams a kilogram.",
    "Seed: 40 grams to the square metre.",
    "The cookie: 200 g flour, 100 g butter.",
    "Cookie: chocolate chip is best.",
    "The author: Odile Marchand.",
    "Authorization: the council gave it in May.",
    "Basic knowledge of French is enough.",
    "The bearer: a friend of mine.",
    "Login is at the top right.",
    "Use two-factor login, not a password alone.",
    "The error code is 404 and the exit code is 137.",
    "error code: ERR_CONNECTION_REFUSED",
    "Our postal code is 75011 and the house is number 12.",
    "The flight is AF1234, seat 21C.",
    "It costs 1,299.00 euros, order 20260412-7731.",
    "Call me at +49 30 901820 tomorrow.",
    "The commit 9fceb02d0ae598e95dc970b74767f19372d61af8 broke it.",
    "The file has sha256 e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855.",
    "The request id is 3f2a9c41-77b0-4d2e-9c1e-07aa5c1e07aa.",
    "See https://example.org/docs/tokens#password-reset for more.",
    "Write to ola@example.org or git@example.org:ola/garden.git.",
    "git clone ssh://git@example.org/ola/garden.git",
    "api_key: <your key here>",
    "Set token: ${TOKEN} in the file.",
    "password = os.environ['DB_PASSWORD']",
    "token = response.json()['token']",
    "def login(user: str, password: str) -> Token:",
    "interface Login { password: string; token?: string }",
    "password=getpass.getpass()",
    "auth_token=auth_token",
    "DB_PASSWORD=changeme",
    'placeholder="Password" type="password"',
    "token: changeme",
    "DATABASE_URL=postgres://user:password@localhost/db",
    "sk-learn and task-oriented are words.",
    "session_manager: StreamableHTTPSessionManager",
    "| Method | Password | Passkey |\n|---|---|---|\n| Phishing | vulnerable | resistant |",
    "The safe is 40 cm wide, 30 cm deep.",
    "I need a passport, not a password.",
    "Le mot de passe est trop long.",
    "Das Passwort ist abgelaufen.",
    "パスワードを忘れました",
    "kind: Secret gardens are my favourite.",
    "gpio_pin = 17",
    "The tokenizer: byte-pair encoding, 32000 words.",
)
"""Talk of passwords, tokens and keys, and text that looks like some, with no secret in it."""
