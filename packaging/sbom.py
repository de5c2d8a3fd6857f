# SPDX-License-Identifier: MIT
"""sbom.py TARBALL: the bill of materials of a release, SPDX 2.3 in JSON: every
file of the tarball with its digests and licence. It says nothing that depends
on where or when it is run. What the binaries link with is the distribution's:
the package managers know, and it is not in the tarball."""

import datetime
import hashlib
import json
import os
import re
import sys
import tarfile

NAMESPACE = "urn:argon2fast:spdx:"


def digests(data):
    return [{"algorithm": name, "checksumValue": hashlib.new(name.lower(), data).hexdigest()}
            for name in ("SHA1", "SHA256")]


def licence(data):
    said = re.search(rb"^\W{0,8}SPDX-License-Identifier: ([\w.-]+)", data[:400], re.MULTILINE)
    return said.group(1).decode() if said else "NOASSERTION"


def kind(name):
    source = re.search(r"\.(c|h|S|sh|py|pm|t|mk|sql|in)$|/rules$|Makefile$", name)
    return "SOURCE" if source else "TEXT"


def describe(path):
    with open(path, "rb") as file:
        whole = file.read()
    name, version = re.fullmatch(r"(.+)-([\d.]+)\.tar\.gz", os.path.basename(path)).groups()
    files = []
    with tarfile.open(path) as tar:
        members = [m for m in tar.getmembers() if m.isfile()]
        for number, member in enumerate(members, 1):
            data = tar.extractfile(member).read()
            files.append({
                "SPDXID": f"SPDXRef-File-{number}",
                "fileName": "./" + member.name.split("/", 1)[1],
                "fileTypes": [kind(member.name)],
                "checksums": digests(data),
                "licenseConcluded": "MIT",
                "licenseInfoInFiles": [licence(data)],
                "copyrightText": "NOASSERTION",
            })
    sums = sorted(file["checksums"][0]["checksumValue"] for file in files)
    made = datetime.datetime.fromtimestamp(members[0].mtime, datetime.timezone.utc)
    package = {
        "SPDXID": "SPDXRef-Package",
        "name": name,
        "versionInfo": version,
        "packageFileName": os.path.basename(path),
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": True,
        "packageVerificationCode": {
            "packageVerificationCodeValue": hashlib.sha1("".join(sums).encode()).hexdigest()},
        "checksums": digests(whole),
        "licenseConcluded": "MIT",
        "licenseDeclared": "MIT",
        "licenseInfoFromFiles": sorted({i for f in files for i in f["licenseInfoInFiles"]}),
        "copyrightText": "Copyright (c) 2026 The argon2fast authors",
    }
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"{name}-{version}",
        "documentNamespace": NAMESPACE + version + ":" + package["checksums"][1]["checksumValue"],
        "creationInfo": {
            "created": made.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Organization: The argon2fast authors", "Tool: sbom.py"],
        },
        "documentDescribes": ["SPDXRef-Package"],
        "packages": [package],
        "files": files,
        "relationships": [
            {"spdxElementId": "SPDXRef-Package", "relationshipType": "CONTAINS",
             "relatedSpdxElement": file["SPDXID"]} for file in files],
    }


json.dump(describe(sys.argv[1]), sys.stdout, indent=1)
print()
