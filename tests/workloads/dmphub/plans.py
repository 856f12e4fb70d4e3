"""A registry's data management plans: the shape of their JSON, and the tables and indexes that hold them."""

import decimal

from workload import definitions, global_index, provisioned

STREAM = {"StreamEnabled": True, "StreamViewType": "NEW_IMAGE"}

INDEXES_2022 = [
    global_index("modification_day_gsi", "dmphub_modification_day", "PK", units=(5, 5),
                 projection=["SK", "title", "contact", "dmphub_affiliation_ids"]),
    global_index("dmphub_provenance_identifier_gsi", "dmphub_provenance_identifier", "PK", units=(5, 5), projection=["PK", "SK"]),
    global_index("provenance_dmps_gsi", "dmphub_provenance_id", "PK", units=(5, 5), projection="KEYS_ONLY"),
    global_index("affiliation_ids_gsi", "dmphub_affiliation_ids", "PK", units=(5, 5),
                 projection=["title", "contact", "project", "dmphub_contributor_ids"]),
    global_index("contributor_ids_gsi", "dmphub_contributor_ids", "PK", units=(5, 5), projection=["title", "contact"]),
    global_index("related_identifier_ids_gsi", "dmphub_related_identifier_ids", "PK", units=(5, 5),
                 projection=["title", "contact"]),
]
LISTED_2024 = ["title", "description", "created", "modified", "contact", "contributor", "project", "dmproadmap_assertion_needed"]
INDEXES_2024 = [
    global_index("dmphub_modification_day_gsi", "dmphub_modification_day", "PK", projection=["SK", *LISTED_2024]),
    global_index("dmphub_provenance_identifier_gsi", "dmphub_provenance_identifier", "dmphub_modification_day",
                 projection=["PK", "SK", "title"]),
    global_index("dmproadmap_featured_gsi", "dmproadmap_featured", "SK", projection=["PK", "SK", *LISTED_2024]),
]


def key_definitions(indexes):
    """The definitions of the table's and the indexes' keys, all of them strings."""
    names = {"PK", "SK", *(element["AttributeName"] for index in indexes for element in index["KeySchema"])}
    return definitions(*(f"{name}:S" for name in sorted(names)))


SETTINGS_2022 = {"AttributeDefinitions": key_definitions(INDEXES_2022), "GlobalSecondaryIndexes": INDEXES_2022,
                 "BillingMode": "PROVISIONED", "ProvisionedThroughput": provisioned(10, 10), "TableClass": "STANDARD"}
SETTINGS_2024 = {"AttributeDefinitions": key_definitions(INDEXES_2024), "GlobalSecondaryIndexes": INDEXES_2024,
                 "StreamSpecification": STREAM}


def key_of(item):
    return {"PK": item["PK"], "SK": item["SK"]}


def plan(doi="10.48321/D1M30K", version="latest", **changes):
    """A plan with every kind of part that the real ones have: nested lists of maps, empty lists, nulls, booleans, numbers."""
    item = {
        "PK": f"DMP#doi:{doi}", "SK": f"VERSION#{version}",
        "title": "Sediment transport in tidal creeks", "description": "", "language": "eng", "ethical_issues_exist": "unknown",
        "created": "2021-11-08T19:06:04Z", "modified": "2022-02-18T12:30:25Z",
        "dmp_id": {"type": "doi", "identifier": f"https://doi.org/{doi}"},
        "contact": {"name": "Rivera, Inés", "mbox": "rivera@plans.example",
                    "contact_id": {"type": "orcid", "identifier": "https://orcid.example/0000-0000-0000-0001"},
                    "dmproadmap_affiliation": {"name": "Coastal University", "affiliation_id": None}},
        "contributor": [{"name": "Okafor, Chidi", "role": ["data-curation", "investigation"], "contributor_id": {}},
                        {"name": "Lindqvist, Åsa", "role": [], "mbox": None}],
        "cost": [{"currency_code": "USD", "title": "Storage", "value": decimal.Decimal("1250.75"), "description": None}],
        "dataset": [{
            "title": "Creek cores", "type": "dataset", "personal_data": False, "sensitive_data": True, "issued": None,
            "keyword": ["sediment", "tide"], "technical_resource": [],
            "distribution": [{"title": "Cores", "byte_size": 125000000000, "available_until": None,
                              "license": [{"license_ref": "https://licenses.example/by/4.0", "start_date": "2024-01-01"}],
                              "host": {"title": "Estuary Archive", "url": "https://archive.example"}}],
            "metadata": [{"metadata_standard_id": {"type": "url", "identifier": "https://standards.example/dwc"}}],
            "security_and_privacy": [],
        }],
        "project": [{"title": "Tidal creeks", "start": "2021-12-01", "end": "2024-11-30", "funding": [
            {"name": "Ocean Fund", "funding_status": "granted", "funder_id": {"type": "fundref", "identifier": "501100000001"},
             "grant_id": {"type": "url", "identifier": "https://grants.example/776242"}}]}],
        "dmproadmap_related_identifiers": [{"descriptor": "cites", "type": "doi", "identifier": "10.5072/related.1",
                                            "confidence": decimal.Decimal("0.87")}],
        "dmphub_provenance_id": "PROVENANCE#dmptool", "dmphub_provenance_identifier": f"https://tool.example/plans/{doi[-6:]}",
        "dmphub_modification_day": "2022-02-18", "dmphub_created_at": "2021-11-08T19:06:04Z", "dmphub_deleted_at": None,
    }
    item.update(changes)
    return item
