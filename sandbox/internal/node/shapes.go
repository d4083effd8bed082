package node

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
)

// shapes are the types of the parameters of methods and subscriptions, as agave declares them. What
// is not listed takes a RpcContextConfig or nothing.
var shapes = map[string]string{
	"getAccountInfo":                    "string RpcAccountInfoConfig",
	"getBalance":                        "string RpcContextConfig",
	"getBlock":                          "u64 block",
	"getBlockCommitment":                "u64",
	"getBlockProduction":                "RpcBlockProductionConfig",
	"getBlockTime":                      "u64",
	"getBlocks":                         "u64 blocks RpcContextConfig",
	"getBlocksWithLimit":                "u64 usize RpcContextConfig",
	"getFeeForMessage":                  "string RpcContextConfig",
	"getInflationGovernor":              "CommitmentConfig",
	"getInflationReward":                "strings RpcEpochConfig",
	"getLargestAccounts":                "RpcLargestAccountsConfig",
	"getLeaderSchedule":                 "leaders RpcLeaderScheduleConfig",
	"getMinimumBalanceForRentExemption": "usize CommitmentConfig",
	"getMultipleAccounts":               "strings RpcAccountInfoConfig",
	"getProgramAccounts":                "string RpcProgramAccountsConfig",
	"getRecentPerformanceSamples":       "usize",
	"getRecentPrioritizationFees":       "strings",
	"getSignatureStatuses":              "strings RpcSignatureStatusConfig",
	"getSignaturesForAddress":           "string RpcSignaturesForAddressConfig",
	"getSlotLeaders":                    "u64 u64",
	"getSupply":                         "RpcSupplyConfig",
	"getTokenAccountBalance":            "string CommitmentConfig",
	"getTokenAccountsByDelegate":        "string RpcTokenAccountsFilter RpcAccountInfoConfig",
	"getTokenAccountsByOwner":           "string RpcTokenAccountsFilter RpcAccountInfoConfig",
	"getTokenLargestAccounts":           "string CommitmentConfig",
	"getTokenSupply":                    "string CommitmentConfig",
	"getTransaction":                    "string transaction",
	"getVoteAccounts":                   "RpcGetVoteAccountsConfig",
	"isBlockhashValid":                  "string RpcContextConfig",
	"requestAirdrop":                    "string u64 RpcRequestAirdropConfig",
	"sendTransaction":                   "string RpcSendTransactionConfig",
	"simulateBundle":                    "any any",
	"simulateTransaction":               "string RpcSimulateTransactionConfig",

	"accountSubscribe":   "string RpcAccountInfoConfig",
	"blockSubscribe":     "any RpcBlockSubscribeConfig",
	"logsSubscribe":      "any RpcTransactionLogsConfig",
	"programSubscribe":   "string RpcProgramAccountsConfig",
	"signatureSubscribe": "string RpcSignatureSubscribeConfig",
}

// structs are agave's, with the types of their members. One with an exclamation mark has to be there, one with
// a question mark may be null. A tilde is a commitment that is read if it can be: one that cannot counts for
// none, which means finalized.
var structs = map[string]string{
	"CommitmentConfig":              "commitment:CommitmentLevel!",
	"RpcAccountInfoConfig":          accountInfo,
	"RpcBlockConfig":                "~" + transactions + " rewards:bool?",
	"RpcBlockProductionConfig":      "~ identity:string? range:RpcBlockProductionConfigRange?",
	"RpcBlockProductionConfigRange": "firstSlot:u64! lastSlot:u64?",
	"RpcBlockSubscribeConfig":       "~" + transactions + " showRewards:bool?",
	"RpcContextConfig":              "~ minContextSlot:u64?",
	"RpcEpochConfig":                "~ epoch:u64? minContextSlot:u64?",
	"RpcGetVoteAccountsConfig":      "~ votePubkey:string? keepUnstakedDelinquents:bool? delinquentSlotDistance:u64?",
	"RpcLargestAccountsConfig":      "~ filter:RpcLargestAccountsFilter? sortResults:bool?",
	"RpcLeaderScheduleConfig":       "~ identity:string?",
	"RpcProgramAccountsConfig":      accountInfo + " filters:list? withContext:bool? sortResults:bool?",
	"RpcRequestAirdropConfig":       "~ recentBlockhash:string?",
	"RpcSendTransactionConfig": "skipPreflight:bool preflightCommitment:CommitmentLevel? " +
		"encoding:UiTransactionEncoding? maxRetries:usize? minContextSlot:u64?",
	"RpcSignatureStatusConfig":             "searchTransactionHistory:bool!",
	"RpcSignatureSubscribeConfig":          "~ enableReceivedNotification:bool?",
	"RpcSignaturesForAddressConfig":        "~ before:string? until:string? limit:usize? minContextSlot:u64?",
	"RpcSimulateTransactionAccountsConfig": "encoding:UiAccountEncoding? addresses:strings!",
	"RpcSimulateTransactionConfig": "~ sigVerify:bool replaceRecentBlockhash:bool encoding:UiTransactionEncoding? " +
		"accounts:RpcSimulateTransactionAccountsConfig? minContextSlot:u64? innerInstructions:bool",
	"RpcSupplyConfig":          "~ excludeNonCirculatingAccountsList:bool",
	"RpcTransactionConfig":     "~ encoding:UiTransactionEncoding? maxSupportedTransactionVersion:u8?",
	"RpcTransactionLogsConfig": "~",
	"UiDataSliceConfig":        "offset:usize! length:usize!",
}

// What several structs have.
const (
	accountInfo  = "~ encoding:UiAccountEncoding? dataSlice:UiDataSliceConfig? minContextSlot:u64?"
	transactions = " encoding:UiTransactionEncoding? transactionDetails:TransactionDetails?" +
		" maxSupportedTransactionVersion:u8?"
)

// enums are agave's words.
var enums = map[string][]string{
	"CommitmentLevel":          {processed, confirmed, finalized},
	"RpcLargestAccountsFilter": {"circulating", "nonCirculating"},
	"TransactionDetails":       {"full", "signatures", "none", accountsOnly},
	"UiAccountEncoding":        {"binary", "base58", "base64", jsonParsed, "base64+zstd"},
	"UiTransactionEncoding":    {"binary", "base64", "base58", "json", jsonParsed},
}

// either are agave's parameters of two types: the first that fits is taken.
var either = map[string]struct {
	name string
	two  []string
}{
	"block":       {"RpcEncodingConfigWrapper", []string{"UiTransactionEncoding", "RpcBlockConfig"}},
	"blocks":      {"RpcBlocksConfigWrapper", []string{"u64", "RpcContextConfig"}},
	"leaders":     {"RpcLeaderScheduleConfigWrapper", []string{"u64", "RpcLeaderScheduleConfig"}},
	"transaction": {"RpcEncodingConfigWrapper", []string{"UiTransactionEncoding", "RpcTransactionConfig"}},
}

func shapeOf(method string) string { return cmp.Or(shapes[method], "RpcContextConfig") }

// typed refuses parameters that are not of their types, in the order and words of the library that agave reads
// them with: before anything else is looked at. Commitments that are dropped are reported.
func (c *call) typed(shape string, least int) {
	c.params = slices.Clone(c.params)
	for i, kind := range strings.Fields(shape) {
		if i < len(c.params) && (i < least || !bytes.Equal(c.params[i], null)) {
			c.params[i] = c.read(kind, c.params[i])
		}
	}
}

// read checks a value, and returns it without what is dropped.
func (c *call) read(kind string, raw json.RawMessage) json.RawMessage {
	wrapper, wrapped := either[kind]
	switch {
	case wrapped:
		for _, kind := range wrapper.two {
			var taken json.RawMessage
			if kit.Caught[callError](func() { taken = c.read(kind, raw) }) == nil {
				return taken
			}
		}
		panic(bad("data did not match any variant of untagged enum %s", wrapper.name))
	case structs[kind] != "":
		return c.members(kind, raw)
	case enums[kind] != nil:
		oneOf(raw, enums[kind])
	case kind == "RpcTokenAccountsFilter":
		_, of := tagged(raw, "mint", "programId")
		c.read("string", of)
	case kind == "strings":
		for _, one := range elements(raw) {
			c.read("string", one)
		}
	case kind == "list":
		elements(raw)
	case kind != "any":
		plain(kind, raw)
	}
	return raw
}

// members checks those of an object by name, and what is missing after them. It drops what is not declared.
func (c *call) members(kind string, raw json.RawMessage) json.RawMessage {
	var object map[string]json.RawMessage
	badIf(json.Unmarshal(raw, &object) != nil || object == nil, "invalid type: %s, expected struct %s", found(raw), kind)
	fields := strings.Fields(structs[kind])
	for _, name := range slices.Sorted(maps.Keys(object)) {
		i := slices.IndexFunc(fields, func(field string) bool { return strings.HasPrefix(field, name+":") })
		if i < 0 {
			if name != "commitment" || fields[0] != "~" {
				delete(object, name)
			}
			continue
		}
		_, of, _ := strings.Cut(fields[i], ":")
		optional := strings.HasSuffix(of, "?")
		if null := bytes.Equal(object[name], null); !null || !optional {
			object[name] = c.read(strings.TrimRight(of, "?!"), object[name])
		}
	}
	for _, field := range fields {
		name, needed := strings.CutSuffix(field, "!")
		name, _, _ = strings.Cut(name, ":")
		badIf(needed && object[name] == nil, "missing field `%s`", name)
	}
	if given := object["commitment"]; fields[0] == "~" && given != nil && !bytes.Equal(given, null) &&
		kit.Caught[callError](func() { oneOf(given, enums["CommitmentLevel"]) }) != nil {
		c.dropped = string(given)
		delete(object, "commitment")
	}
	return kit.MustJSON(object)
}

// oneOf refuses what is no word of an enum.
func oneOf(raw json.RawMessage, words []string) {
	var word string
	is := json.Unmarshal(raw, &word) == nil && !bytes.Equal(raw, null)
	badIf(!is, "invalid type: %s, expected string or map", found(raw))
	badIf(!slices.Contains(words, word), "unknown variant `%s`, expected %s", word, listed(words))
}

// listed names the words of an enum.
func listed(words []string) string {
	all := "`" + strings.Join(words, "`, `") + "`"
	if len(words) == 2 {
		return strings.Replace(all, "`, `", "` or `", 1)
	}
	return "one of " + all
}

// tagged reads an object whose one member's name says what it is.
func tagged(raw json.RawMessage, names ...string) (name string, of json.RawMessage) {
	var object map[string]json.RawMessage
	if json.Unmarshal(raw, &object) != nil || object == nil {
		oneOf(raw, names)
		panic(bad("invalid type: unit variant, expected newtype variant"))
	}
	badIf(len(object) != 1, "invalid value: map, expected map with a single key")
	for name, of = range object {
		oneOf(kit.MustJSON(name), names)
	}
	return name, of
}

func elements(raw json.RawMessage) (all []json.RawMessage) {
	badIf(json.Unmarshal(raw, &all) != nil || all == nil, "invalid type: %s, expected a sequence", found(raw))
	return all
}

// plain refuses what is no text, number or truth value.
func plain(kind string, raw json.RawMessage) {
	switch kind {
	case "string":
		badIf(raw[0] != '"', "invalid type: %s, expected a string", found(raw))
	case "bool":
		badIf(raw[0] != 't' && raw[0] != 'f', "invalid type: %s, expected a boolean", found(raw))
	default:
		badIf(!integer(raw), "invalid type: %s, expected %s", found(raw), kind)
		n, err := strconv.ParseUint(string(raw), 10, 64)
		badIf(err != nil || kind == "u8" && n > math.MaxUint8, "invalid value: %s, expected %s", found(raw), kind)
	}
}
