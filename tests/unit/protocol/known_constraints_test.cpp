// Model constraints: messages of the service, word for word.
#include "unit/protocol/decoded_request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace basalt::protocol {
namespace {

using testing::EndsWith;
using testing::HasSubstr;
using testing::StartsWith;

TEST(KnownConstraints, PutItemReportsAllInItsOrder)
{
    EXPECT_EQ(
        message_of("PutItem", "{}"),
        "2 validation errors detected: Value null at 'tableName' failed to satisfy constraint: Member must not be "
        "null; Value null at 'item' failed to satisfy constraint: Member must not be null");
    EXPECT_EQ(
        message_of("PutItem", R"({"TableName":"abc;","ReturnConsumedCapacity":"hi","ReturnItemCollectionMetrics":"hi",
                   "ReturnValues":"hi"})"),
        "5 validation errors detected: "
        "Value 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: "
        "[INDEXES, TOTAL, NONE]; "
        "Value 'abc;' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: "
        "[a-zA-Z0-9_.-]+; "
        "Value null at 'item' failed to satisfy constraint: Member must not be null; "
        "Value 'hi' at 'returnValues' failed to satisfy constraint: Member must satisfy enum value set: [ALL_NEW, "
        "UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; "
        "Value 'hi' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value set: "
        "[SIZE, NONE]");
}

TEST(KnownConstraints, AtMostTenInQueryOrder)
{
    EXPECT_EQ(
        message_of("Query", R"({"TableName":"abc;","ReturnConsumedCapacity":"hi","AttributesToGet":[],
            "IndexName":"abc;","Select":"hi","Limit":-1,"KeyConditions":{"a":{},"b":{"ComparisonOperator":""}},
            "ConditionalOperator":"AN","QueryFilter":{"a":{},"b":{"ComparisonOperator":""}}})"),
        "10 validation errors detected: "
        "Value 'hi' at 'select' failed to satisfy constraint: Member must satisfy enum value set: "
        "[SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]; "
        "Value 'abc;' at 'indexName' failed to satisfy constraint: Member must satisfy regular expression pattern: "
        "[a-zA-Z0-9_.-]+; "
        "Value 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: "
        "[INDEXES, TOTAL, NONE]; "
        "Value null at 'queryFilter.a.member.comparisonOperator' failed to satisfy constraint: Member must not be "
        "null; "
        "Value '' at 'queryFilter.b.member.comparisonOperator' failed to satisfy constraint: Member must satisfy enum "
        "value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, BEGINS_WITH, GE, CONTAINS]; "
        "Value 'abc;' at 'tableName' failed to satisfy constraint: Member must satisfy regular expression pattern: "
        "[a-zA-Z0-9_.-]+; "
        "Value 'AN' at 'conditionalOperator' failed to satisfy constraint: Member must satisfy enum value set: [OR, "
        "AND]; "
        "Value '[]' at 'attributesToGet' failed to satisfy constraint: Member must have length greater than or equal "
        "to 1; "
        "Value at 'Limit' failed to satisfy constraint: Member must have value greater than or equal to 1; "
        "Value null at 'keyConditions.a.member.comparisonOperator' failed to satisfy constraint: Member must not be "
        "null");
}

TEST(KnownConstraints, Limits)
{
    EXPECT_EQ(message_of("Query", R"({"TableName":"abc","Limit":0})"),
              "1 validation error detected: Value at 'Limit' failed to satisfy constraint: Member must have value "
              "greater than or equal to 1");
    EXPECT_EQ(message_of("Scan", R"({"TableName":"abc","Limit":0})"),
              "1 validation error detected: Value '0' at 'limit' failed to satisfy constraint: Member must have value "
              "greater than or equal to 1");
    EXPECT_EQ(
        message_of("ListTables", R"({"Limit":101})"),
        "1 validation error detected: Value '101' at 'limit' failed to satisfy constraint: Member must have value "
        "less than or equal to 100");
}

TEST(KnownConstraints, ItemTableNames)
{
    const auto scan = [](const std::string &name) { return message_of("Scan", R"({"TableName":")" + name + "\"}"); };
    EXPECT_EQ(scan(""), "2 validation errors detected: Value '' at 'tableName' failed to satisfy constraint: Member "
                        "must satisfy regular expression pattern: [a-zA-Z0-9_.-]+; Value '' at 'tableName' failed to "
                        "satisfy constraint: Member must have length greater than or equal to 1");
    const std::string name(256, 'a');
    EXPECT_EQ(scan(name), "1 validation error detected: Value '" + name +
                              "' at 'tableName' failed to satisfy constraint: Member must have length less than or "
                              "equal to 255");
    EXPECT_EQ(scan("a"), "");
    EXPECT_EQ(scan("arn:aws:dynamodb:us-east-1:000000000000:table/abc"), "");
}

TEST(KnownConstraints, ControlTableNames)
{
    constexpr const char *kLength = "TableName must be at least 3 characters long and at most 255 characters long";
    for (const auto *name : {"CreateTable", "DescribeTable", "DeleteTable", "UpdateTable", "DescribeTimeToLive"}) {
        EXPECT_EQ(message_of(name, "{}"), "The parameter 'TableName' is required but was not present in the request");
        EXPECT_EQ(message_of(name, R"({"TableName":""})"), kLength);
        EXPECT_EQ(message_of(name, R"({"TableName":"a;"})"), kLength);
        EXPECT_EQ(message_of(name, R"({"TableName":")" + std::string(256, 'a') + "\"}"), kLength);
        EXPECT_EQ(message_of(name, R"({"TableName":"abc;"})"),
                  "1 validation error detected: Value 'abc;' at 'tableName' failed to satisfy constraint: Member must "
                  "satisfy regular expression pattern: [a-zA-Z0-9_.-]+");
        EXPECT_EQ(message_of(name, R"({"TableName":"arn:aws:dynamodb:us-east-1:000000000000:table/abc"})"), "");
    }
    EXPECT_EQ(message_of("ListBackups", "{}"), "");
    EXPECT_EQ(message_of("ListBackups", R"({"TableName":"ab"})"), kLength);
}

TEST(KnownConstraints, CreateTableOrder)
{
    EXPECT_EQ(
        message_of("CreateTable", R"({"TableName":"abc","AttributeDefinitions":[],"KeySchema":[],
                  "ProvisionedThroughput":{"ReadCapacityUnits":-1,"WriteCapacityUnits":-1},"BillingMode":"A"})"),
        "4 validation errors detected: "
        "Value 'A' at 'billingMode' failed to satisfy constraint: Member must satisfy enum value set: "
        "[PROVISIONED, PAY_PER_REQUEST]; "
        "Value '-1' at 'provisionedThroughput.writeCapacityUnits' failed to satisfy constraint: Member must have "
        "value greater than or equal to 1; "
        "Value '-1' at 'provisionedThroughput.readCapacityUnits' failed to satisfy constraint: Member must have "
        "value greater than or equal to 1; "
        "Value '[]' at 'keySchema' failed to satisfy constraint: Member must have length greater than or equal to "
        "1");
    EXPECT_EQ(message_of("CreateTable", R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"b",
                  "AttributeType":"SS"}]})"),
              "1 validation error detected: Value 'SS' at 'attributeDefinitions.1.member.attributeType' failed to "
              "satisfy constraint: Member must satisfy enum value set: [B, N, S]");
}

constexpr const char *kKeysOfTable =
    "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have length "
    "greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]";

TEST(KnownConstraints, BatchWriteItem)
{
    // The operation words it itself.
    EXPECT_EQ(message_of("BatchWriteItem", R"({"RequestItems":{}})"), "");
    EXPECT_EQ(
        message_of("BatchWriteItem", R"({"RequestItems":{"aa;":[{"PutRequest":{},"DeleteRequest":{}}]},
                  "ReturnConsumedCapacity":"hi","ReturnItemCollectionMetrics":"hi"})"),
        "5 validation errors detected: "
        "Value 'hi' at 'returnConsumedCapacity' failed to satisfy constraint: Member must satisfy enum value set: "
        "[INDEXES, TOTAL, NONE]; "
        "Value 'hi' at 'returnItemCollectionMetrics' failed to satisfy constraint: Member must satisfy enum value "
        "set: [SIZE, NONE]; "
        "Value '{aa;=[WriteRequest(putRequest=PutRequest(item=null, workloadProfileName=null), "
        "deleteRequest=DeleteRequest(key=null))]}' at 'requestItems' failed to satisfy constraint: " +
            std::string(kKeysOfTable) +
            "; Value null at 'requestItems.aa;.member.1.member.deleteRequest.key' failed to satisfy constraint: "
            "Member must not be null; Value null at 'requestItems.aa;.member.1.member.putRequest.item' failed to "
            "satisfy constraint: Member must not be null");
    EXPECT_EQ(message_of("BatchWriteItem", R"({"RequestItems":{"abc":[]}})"),
              "1 validation error detected: Value '{abc=[]}' at 'requestItems' failed to satisfy constraint: Map value "
              "must satisfy constraint: [Member must have length less than or equal to 25, Member must have length "
              "greater than or equal to 1]");
    EXPECT_EQ(
        message_of("BatchWriteItem", R"({"RequestItems":{"arn:aws:dynamodb:us-east-1:000000000000:table/abc":[{}]}})"),
        "");
}

TEST(KnownConstraints, BatchGetItem)
{
    EXPECT_EQ(message_of("BatchGetItem", R"({"RequestItems":{"a":{}}})"),
              "2 validation errors detected: Value '{a=KeysAndAttributes(keys=null, attributesToGet=null, "
              "consistentRead=null, projectionExpression=null, expressionAttributeNames=null)}' at 'requestItems' "
              "failed to satisfy constraint: " +
                  std::string(kKeysOfTable) +
                  "; Value null at 'requestItems.a.member.keys' failed to satisfy constraint: Member must not be null");
    std::string keys;
    for (int i = 0; i < 101; ++i) {
        keys += (i == 0 ? "" : ",") + std::string(R"({"a":{"N":")") + std::to_string(i) + "\"}}";
    }
    EXPECT_EQ(
        message_of("BatchGetItem", R"({"RequestItems":{"abc":{"Keys":[)" + keys + "]}}}"),
        "1 validation error detected: Value at 'RequestItems.abc.member.Keys' failed to satisfy constraint: Member "
        "must have length less than or equal to 100");
}

TEST(KnownConstraints, Transactions)
{
    EXPECT_EQ(message_of("TransactWriteItems", R"({"TransactItems":[]})"),
              "1 validation error detected: Value '[]' at 'transactItems' failed to satisfy constraint: Member must "
              "have length greater than or equal to 1");
    const std::string token(37, 't');
    EXPECT_EQ(message_of("TransactWriteItems", R"({"TransactItems":[{}],"ClientRequestToken":")" + token + "\"}"),
              "1 validation error detected: Value '" + token +
                  "' at 'clientRequestToken' failed to satisfy constraint: Member must have length less than or equal "
                  "to 36");
    EXPECT_EQ(message_of("TransactWriteItems", R"({"TransactItems":[{"Put":{"TableName":"abc"}}]})"),
              "1 validation error detected: Value null at 'transactItems.1.member.put.item' failed to satisfy "
              "constraint: Member must not be null");
    EXPECT_EQ(message_of("ExecuteStatement", R"({"Statement":"s","Parameters":[]})"),
              "1 validation error detected: Value '[]' at 'parameters' failed to satisfy constraint: Member must have "
              "length greater than or equal to 1");
}

TEST(KnownConstraints, AttributeValuesArePrintedAsTheServicesClass)
{
    std::string requests;
    for (int i = 0; i < 26; ++i) {
        requests += i == 0 ? R"({"PutRequest":{"Item":{"a":{"S":"x"},"b":{"L":[{"N":"1.0"},{"BOOL":true}]}}}})"
                           : R"(,{"DeleteRequest":{"Key":{"k":{"SS":["p","q"]}}}})";
    }
    const auto message = message_of("BatchWriteItem", R"({"RequestItems":{"abc":[)" + requests + "]}}");
    EXPECT_THAT(
        message,
        StartsWith(
            "1 validation error detected: Value '{abc=[WriteRequest(putRequest=PutRequest(item={a="
            "AttributeValue(s=x, n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, bS=null, "
            "iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=null, nULL=null, bOOL=null), "
            "b=AttributeValue(s=null, n=null, b=null, iNT=null, dECIMAL=null, dOUBLE=null, sS=null, nS=null, "
            "bS=null, iNTSET=null, dECIMALSET=null, dOUBLESET=null, m=null, l=[AttributeValue(s=null, n=1, "));
    EXPECT_THAT(message, HasSubstr(", workloadProfileName=null), deleteRequest=null), WriteRequest(putRequest=null, "
                                   "deleteRequest=DeleteRequest(key={k=AttributeValue(s=null"));
    EXPECT_THAT(message, HasSubstr("sS=[p, q]"));
    EXPECT_THAT(message, EndsWith("]}' at 'requestItems' failed to satisfy constraint: Map value must satisfy "
                                  "constraint: [Member must have length less than or equal to 25, Member must have "
                                  "length greater than or equal to 1]"));
}

TEST(KnownConstraints, StructuresInValues)
{
    std::string elements;
    for (int i = 0; i < 101; ++i) {
        elements += (i == 0 ? "" : ",") + std::string("{}");
    }
    EXPECT_THAT(message_of("TransactWriteItems", R"({"TransactItems":[)" + elements + "]}"),
                StartsWith("1 validation error detected: Value '[TransactWriteItem(conditionCheck=null, put=null, "
                           "delete=null, update=null), TransactWriteItem("));
}

TEST(KnownConstraints, LengthsCountUtf16Units)
{
    std::string smileys; // two units each
    for (int i = 0; i < 18; ++i) {
        smileys += "\xF0\x9F\x98\x80";
    }
    const std::string body = R"({"TransactItems":[{}],"ClientRequestToken":")";
    EXPECT_EQ(message_of("TransactWriteItems", body + smileys + "\"}"), "");
    EXPECT_THAT(message_of("TransactWriteItems", body + smileys + "x\"}"), EndsWith("less than or equal to 36"));
}

TEST(KnownConstraints, OverlongAttributeNames)
{
    const std::string longest(65'535, 'n');
    for (const auto *nested : {"", R"("m":{"M":{)"}) {
        const std::string close = *nested == '\0' ? "" : "}}";
        const std::string head = R"({"TableName":"abc","Item":{)" + std::string(nested) + "\"" + longest;
        EXPECT_EQ(message_of("PutItem", head + R"(":{"S":"x"})" + close + "}}"), "");
        EXPECT_THAT(message_of("PutItem", head + R"(n":{"S":"x"})" + close + "}}"),
                    EndsWith("' at 'item' failed to satisfy constraint: Map keys must satisfy constraint: [Member must "
                             "have length less than or equal to 65535]"));
    }
}

} // namespace
} // namespace basalt::protocol
