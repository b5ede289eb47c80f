"""Keys and tokens that say what they are: their issuers' documented prefixes, and detect-secrets' rules.

A prefix alone is no secret; what follows it must be as long and of the characters that its issuer gives it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from importlib import import_module
from typing import TYPE_CHECKING

from inference.secret_marks import Found, Marks

if TYPE_CHECKING:
    from detect_secrets.plugins.base import BasePlugin

_ISSUED: tuple[tuple[str, str], ...] = (
    ("model key", r"(?:(?:sk|pplx|xai|nvapi)-|(?:gsk|pcsk|r8|lsv2_[ps][tk])_)(?=[\w-]{0,60}\d)[\w-]{16,300}"),
    ("cloud key", r"(?:AKIA|ASIA|ABIA|ACCA|AGPA|AIDA|AROA|ANPA|ANVA|APKA)[A-Z0-9]{16}(?![A-Z0-9])"),
    ("cloud key", r"(?:LTAI|AKID|AKLT)[A-Za-z0-9]{12,60}|ABSK[A-Za-z0-9+/]{60,300}"),
    ("cloud key", r"(?:AQVN|t1\.|y0_)[\w-]{30,300}|dapi[a-f0-9]{32}|HRKU-[\w-]{36,100}"),
    ("cloud key", r"[\w~.]{3}\dQ~[\w~.-]{31,40}"),
    ("cloud token", r"do[opr]_v1_[a-f0-9]{64}|fo1_[\w-]{40,60}|fm[12][ar]?_[\w+/-]{60,600}|sbp_[a-f0-9]{40}"),
    ("cloud token", r"nfp_[A-Za-z0-9]{36,60}|tskey-[\w-]{16,120}|v1\.0-[a-f0-9]{24}-[a-f0-9]{100,160}"),
    ("cloud token", r"sha256~[\w-]{43}|tk-us-[\w-]{40,60}|pul-[a-f0-9]{40}|pn[ub]_[A-Za-z0-9]{36}"),
    ("google key", r"AIza[\w-]{35}|GOCSPX-[\w-]{20,40}"),
    ("google token", r"ya29\.[\w-]{20,400}|1//0[\w-]{20,300}"),
    ("github token", r"gh[pousr]_[A-Za-z0-9]{30,255}|github_pat_\w{22,255}"),
    ("gitlab token", r"gl(?:pat|dt|rt|ptt|ft|imt|agent|oas|soat|cbt|ffct)-[\w-]{20,300}|GR1348941[\w-]{20}"),
    ("repository token", r"AT(?:ATT3|CTT3|BB)[\w=-]{24,300}|bkua_[a-f0-9]{40}|CCI(?:PAT|PRJ)_\w{22,120}"),
    ("repository token", r"dckr_(?:pat|oat)_[\w-]{20,60}"),
    ("repository token", r"sgp_(?:\w{5,16}_)?[A-Fa-f0-9]{40}|AKCp[A-Za-z0-9]{60,80}"),
    ("slack token", r"xox[abeoprs]-[\w-]{10,300}|xoxe\.xox[bp]-[\w-]{20,300}|x(?:app|wfp)-[\w-]{10,300}"),
    ("web hook", r"https://hooks\.slack\.com/[a-z]{5,12}/[\w/+-]{20,120}"),
    ("web hook", r"https://(?:\w{2,10}\.)?discord(?:app)?\.com/api/webhooks/\d{10,25}/[\w-]{40,100}"),
    ("web hook", r"https://[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[\w@/-]{60,300}"),
    ("payment key", r"[rsp]k_(?:live|test|prod)_[A-Za-z0-9]{10,128}|whsec_[A-Za-z0-9+/=]{20,80}"),
    ("payment key", r"(?:rzp|shippo|duffel)_(?:live|test)_[\w=-]{14,60}"),
    ("payment key", r"FLW(?:SECK|PUBK)(?:_TEST)?-[\w-]{12,60}"),
    ("payment key", r"sq0(?:atp|csp|idp)-[\w-]{22,60}|EAAA[\w-]{56,64}|EZ[AT]K[A-Za-z0-9]{54}"),
    ("payment key", r"access_token\$(?:production|sandbox)\$[a-z0-9]{16}\$[a-f0-9]{32}"),
    ("package token", r"npm_[A-Za-z0-9]{36}|pypi-[\w-]{50,1000}|rubygems_[a-f0-9]{48}|cio[A-Za-z0-9]{32}"),
    ("package token", r"CLOJARS_[a-z0-9]{60}|API-[A-Z0-9]{26}"),
    ("mail key", r"SG\.[\w-]{16,64}\.[\w-]{16,64}|x(?:keysib|smtpsib)-[a-f0-9]{64}-\w{16}"),
    ("mail key", r"re_\w{8,16}_\w{16,40}"),
    ("mail key", r"key-[a-f0-9]{32}|[a-f0-9]{32}-us\d{1,2}"),
    ("hub token", r"hf_[A-Za-z0-9]{30,64}|api_org_[A-Za-z]{34}"),
    ("work token", r"secret_[A-Za-z0-9]{43}|ntn_\w{40,60}"),
    ("work token", r"lin_(?:api|oauth)_\w{32,80}|PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    ("work token", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}|pat-(?:na|eu)\d-[a-f0-9-]{30,40}"),
    ("work token", r"fig[dou]_[\w-]{40,60}"),
    ("work token", r"shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}|rdme_[a-z0-9]{70}"),
    ("work token", r"tfp_[\w-]{40,80}|p8e-[a-zA-Z0-9]{32}"),
    ("work token", r"fio-u-[\w=-]{64}|CFPAT-[\w-]{40,60}|sl\.[\w-]{100,400}|EAA[A-Z][A-Za-z0-9]{90,300}"),
    ("monitoring key", r"NR(?:AK|JS|AA|II|RA)-[A-Z0-9a-f-]{19,40}|glsa_\w{32}_\w{8}|glc_[\w+/=]{32,400}"),
    ("monitoring key", r"sntry[su]_[\w+/=-]{40,400}|dt0[a-z]\d\d\.[A-Z0-9a-z]{24}\.[A-Z0-9a-z]{64}"),
    ("vault token", r"hv[sbr]\.[\w-]{24,300}|[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,70}"),
    ("vault token", r"dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.]{40,80}"),
    ("vault token", r"ops_eyJ[A-Za-z0-9+/]{100,2000}|A3(?:-[A-Z0-9]{5,11}){4,7}"),
    ("database token", r"pscale_(?:tkn|pw|oauth)_[\w=.-]{32,64}"),
    ("private key", r"AGE-SECRET-KEY-1[A-Z0-9]{58}|nsec1[a-z0-9]{58}|[xyz]prv[A-Za-z0-9]{100,112}"),
    ("bot token", r"\d{8,10}:AA[\w-]{33}(?![\w-])|[MNO][\w-]{23,27}\.[\w-]{6}\.[\w-]{27,45}"),
    ("web token", r"eyJ[\w-]{8,4000}\.eyJ[\w-]{8,4000}(?:\.[\w-]{8,1000})?"),
    ("bearer token", r"(?i:bearer)[:\s]\s?(?P<bearer>[\w.~+/=-]{20,2000})"),
)  # fmt: skip
_ANY = re.compile(
    # after a letter or digit it is the middle of a word; after `_` or `=` it may well begin
    r"(?<![A-Za-z0-9])(?:"
    + "|".join(f"(?P<form{number}>{pattern})" for number, (_, pattern) in enumerate(_ISSUED))
    + ")"
)
FORMS = tuple(dict.fromkeys(form for form, _ in _ISSUED))
DETECTED = "known token"
_RUN = re.compile(r"[\w/+=.:~$-]{18}")
"""Without a run of this length no issued key is in the text, and nothing else need be asked."""
_DETECTORS_RUN = re.compile(r"[\w/+=.-]{20}")
_LONGEST_LINE = 2000
_DETECTORS = (
    "artifactory:ArtifactoryDetector", "aws:AWSKeyDetector", "azure_storage_key:AzureStorageKeyDetector",
    "cloudant:CloudantDetector", "discord:DiscordBotTokenDetector", "github_token:GitHubTokenDetector",
    "gitlab_token:GitLabTokenDetector", "ibm_cloud_iam:IbmCloudIamDetector",
    "ibm_cos_hmac:IbmCosHmacDetector", "jwt:JwtTokenDetector", "mailchimp:MailchimpDetector",
    "npm:NpmDetector", "openai:OpenAIDetector", "pypi_token:PypiTokenDetector",
    "sendgrid:SendGridDetector", "slack:SlackDetector", "softlayer:SoftlayerDetector",
    "square_oauth:SquareOAuthDetector", "stripe:StripeDetector", "telegram_token:TelegramBotTokenDetector",
    "twilio:TwilioKeyDetector",
)  # fmt: skip
_BEARER = Marks("bearer")


def issued_secrets(text: str, small: str) -> Iterator[Found]:
    """Keys and tokens by their prefixes, in order. `small` is the text `folded`."""
    if not (_RUN.search(text) or _BEARER.any_in(small)):
        return
    for match in _ANY.finditer(text):
        form = _ISSUED[int((match.lastgroup or "").removeprefix("form") or 0)][0]
        yield match.start("bearer") if match["bearer"] else match.start(), match.end(), form


def detected_secrets(text: str) -> Iterator[Found]:
    """Keys and tokens by the forms that detect-secrets knows, line by line."""
    place = 0
    for line in text.splitlines(keepends=True):
        if len(line) <= _LONGEST_LINE and _DETECTORS_RUN.search(line):
            for detector in _detectors():
                for value in sorted(set(detector.analyze_string(line))):
                    start = line.find(value) if value else -1
                    while start >= 0:
                        yield place + start, place + start + len(value), DETECTED
                        start = line.find(value, start + len(value))
        place += len(line)


@lru_cache(maxsize=1)
def _detectors() -> tuple[BasePlugin, ...]:
    made = []
    for name in _DETECTORS:
        module, _, detector = name.partition(":")
        made.append(getattr(import_module(f"detect_secrets.plugins.{module}"), detector)())
    return tuple(made)
