package node_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/token"
	"github.com/klauspost/compress/zstd"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/internal/worldtest"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

func text(v any) string { return string(kit.MustJSON(v)) }

// TestProgramAccounts filters, slices and encodes.
func TestProgramAccounts(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner, usdc := build.PublicKey(s.Wallet()), s.Token("USDC")
	mine, held := usdc.Account(owner), base64.StdEncoding.EncodeToString(owner[:])
	of := func(bytes any, encoding string) object {
		return object{"memcmp": object{"offset": 32, "bytes": bytes, "encoding": encoding}}
	}
	numbers := []int{}
	for _, b := range owner {
		numbers = append(numbers, int(b))
	}
	one := func(filters ...any) object {
		filters = append(filters, object{"memcmp": object{"offset": 0, "bytes": usdc.Key}})
		return object{"filters": filters, "encoding": "base64", "dataSlice": object{"offset": 32, "length": 32}}
	}
	wanted := text([]any{object{"pubkey": mine, "account": object{"lamports": ledger.Rent(165), "owner": solana.TokenProgramID,
		"data": []string{held, "base64"}, "executable": false, "rentEpoch": uint64(1<<64 - 1), "space": 165}}})
	ask := func(config any) asked {
		return asked{"getProgramAccounts", []any{solana.TokenProgramID, config}, nil, wanted, ""}
	}
	refused := func(why string, filters ...any) asked {
		return asked{"getProgramAccounts", []any{solana.TokenProgramID, object{"filters": filters}}, nil, why, "-32602"}
	}
	size := object{"dataSize": 165}
	s.answers(t, []asked{
		ask(one(size, object{"memcmp": object{"offset": 32, "bytes": owner}})),
		ask(one(of("", "base58"), of(held, "base64"))), ask(one(of(owner, "base58"))), ask(one(of(numbers, "bytes"), "tokenAccountState", size)),
		{"getProgramAccounts", []any{solana.TokenProgramID, object{"filters": []any{object{"dataSize": 7}}}}, nil, `[]`, ""},
		{"getProgramAccounts", []any{owner}, nil, `[]`, ""},
		{"getProgramAccounts", []any{solana.TokenProgramID, object{"filters": []any{
			object{"memcmp": object{"offset": 165, "bytes": "2"}}}, "encoding": "base64"}}, nil, `[]`, ""},
		{"getProgramAccounts", []any{"x"}, nil, "Invalid param: WrongSize", "-32602"},
		{"getProgramAccounts", []any{solana.TokenProgramID, object{"filters": []any{size}}}, nil,
			"Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.", "-32600"},
		refused("Too many filters provided; max 4", size, size, size, size, size),
		refused("Invalid params: invalid value: map, expected map with a single key.", object{}),
		refused("Invalid param: Base58DecodeError(InvalidCharacter { character: '0', index: 2 })", of("230", "base58")),
		refused("Invalid param: Base64DecodeError(InvalidPadding)", of("230", "base64")),
		refused("Invalid param: DataTooLarge", of(strings.Repeat("2", 176), "base58")),
		refused("Invalid param: DataTooLarge", of(strings.Repeat("1", 129), "base58")),
		refused("Invalid param: DataTooLarge", of(strings.Repeat("A", 176), "base64")),
		refused("Invalid param: DataTooLarge", of(make([]int, 129), "bytes")),
		refused("Invalid params: invalid value: integer `256`, expected u8.", of([]int{256}, "bytes")),
		refused("Invalid params: unknown variant `hex`, expected one of `base58`, `base64`, `bytes`.", of("00", "hex")),
	})
	whole := s.ok(t, 0, "getProgramAccounts", solana.TokenProgramID,
		object{"encoding": "jsonParsed", "withContext": true, "commitment": "confirmed"})
	assert.Equal(t, "319999999", whole.Text("context", "slot"))
	var last []byte
	for i, one := range whole.At("value").([]any) {
		key := solana.MustPublicKeyFromBase58(answer{JSON: one}.Text("pubkey"))
		assert.Positive(t, bytes.Compare(key[:], last), "in the order of the addresses, %d", i)
		last = key[:]
		assert.Contains(t, []string{"mint", "account"}, answer{JSON: one}.Text("account", "data", "parsed", "type"))
	}
	require.NotNil(t, last)
}

// TestTokenAccountLists: by owner and by delegate, by mint and by program.
func TestTokenAccountLists(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner, usdc := build.PublicKey(s.Wallet()), s.Token("USDC")
	delegate, mine := build.PublicKey(s.Keypair("delegate")), usdc.Account(owner)
	s.land(t, token.NewApproveInstruction(70, mine, delegate, owner, nil).Build())
	by := func(method string, key, filter any, commitment string) []any {
		config := object{"encoding": "jsonParsed", "commitment": commitment}
		return s.ok(t, 0, method, key, filter, config).At("value").([]any)
	}
	mint, program := object{"mint": usdc.Key}, object{"programId": solana.TokenProgramID}
	assert.Empty(t, by("getTokenAccountsByDelegate", delegate, mint, "confirmed"), "not yet")
	assert.Len(t, by("getTokenAccountsByOwner", owner, program, "finalized"), 2)
	for _, filter := range []object{mint, program} {
		all := by("getTokenAccountsByDelegate", delegate, filter, "processed")
		require.Len(t, all, 1)
		assert.Equal(t, mine.String(), answer{JSON: all[0]}.Text("pubkey"))
		assert.Equal(t, text(uiText("70", 6, 0.00007, "0.00007")),
			text(answer{JSON: all[0]}.At("account", "data", "parsed", "info", "delegatedAmount")))
		assert.Empty(t, by("getTokenAccountsByDelegate", owner, filter, "processed"))
	}
	for _, method := range []string{"getTokenAccountsByOwner", "getTokenAccountsByDelegate"} {
		refused := func(filter any, why string) asked { return asked{method, []any{owner, filter}, nil, why, "-32602"} }
		s.answers(t, []asked{
			refused(object{"mint": delegate}, "Invalid param: could not find mint"),
			refused(object{"mint": owner}, "Invalid param: not a Token mint"),
			refused(object{"mint": mine}, "Invalid param: Token mint could not be unpacked"),
			refused(object{"mint": "x"}, "Invalid param: WrongSize"),
			refused(object{"programId": owner}, "Invalid param: unrecognized Token program id"),
			refused(object{"mint": usdc.Key, "programId": owner}, "Invalid params: invalid value: map, expected map with a single key."),
			refused(object{"owner": owner}, "Invalid params: unknown variant `owner`, expected `mint` or `programId`."),
			{method, []any{delegate, object{"programId": solana.Token2022ProgramID}}, []any{"value"}, `[]`, ""},
			{method, []any{"0", mint}, nil, "Invalid param: Invalid", "-32602"},
		})
	}
}

// uiText is an amount of tokens as nodes write it.
func uiText(amount string, decimals int, approximate float64, exact string) object {
	return object{"amount": amount, "decimals": decimals, "uiAmount": approximate, "uiAmountString": exact}
}

// TestSupplies: of tokens and of lamports, and who holds most of them.
func TestSupplies(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	owner, usdc := build.PublicKey(s.Wallet()), s.Token("USDC")
	mine, other := usdc.Account(owner), s.named("other")
	none := build.PublicKey(s.Keypair("none"))
	s.answers(t, []asked{
		{"getTokenSupply", []any{none}, nil, "Invalid param: could not find account", "-32602"},
		{"getTokenSupply", []any{owner}, nil, "Invalid param: not a Token mint", "-32602"},
		{"getTokenSupply", []any{mine}, nil, "Invalid param: mint could not be unpacked", "-32602"},
		{"getTokenLargestAccounts", []any{none}, nil, "Invalid param: could not find mint", "-32602"},
		{"getTokenLargestAccounts", []any{owner}, nil, "Invalid param: not a Token mint", "-32602"},
		{"getTokenAccountBalance", []any{none}, nil, "Invalid param: could not find account", "-32602"},
		{"getTokenAccountBalance", []any{owner}, nil, "Invalid param: not a Token account", "-32602"},
		{"getTokenAccountBalance", []any{mine}, []any{"value"}, text(uiText("10000000000", 6, 10_000, "10000")), ""},
		{"getLargestAccounts", []any{object{"filter": "nonCirculating"}}, []any{"value"}, `[]`, ""},
		{"getLargestAccounts", []any{object{"filter": "all"}}, nil,
			"Invalid params: unknown variant `all`, expected `circulating` or `nonCirculating`.", "-32602"},
	})
	dust := s.Token("DUST")
	supply := s.ok(t, 0, "getTokenSupply", dust.Key).At("value")
	list := s.ok(t, 0, "getTokenLargestAccounts", dust.Key).At("value").([]any)
	require.NotEmpty(t, list)
	assert.Contains(t, text(list), dust.Account(owner).String())
	require.Contains(t, text(supply), `"uiAmountString"`)

	total := func(commitment string) string { return s.ok(t, 0, "getSupply", at(commitment)).Text("value", "total") }
	before := total("processed")
	s.paid(t, other, 5_000_000)
	assert.NotEqual(t, before, total("processed"), "the fee is burned")
	assert.Equal(t, []string{before, before}, []string{total("confirmed"), total("finalized")})
	supplied := s.ok(t, 0, "getSupply")
	assert.JSONEq(t, text(object{"total": 0, "circulating": 0, "nonCirculating": 0, "nonCirculatingAccounts": []any{}}),
		strings.ReplaceAll(text(supplied.At("value")), before, "0"))
	largest := s.ok(t, 0, "getLargestAccounts").At("value").([]any)
	require.Len(t, largest, 20)
	for i := range largest[1:] {
		more, less := answer{JSON: largest[i]}, answer{JSON: largest[i+1]}
		assert.GreaterOrEqual(t, worldtest.Number(t, more.Text("lamports")), worldtest.Number(t, less.Text("lamports")))
	}
}

// TestAmounts: the approximate amount is a quotient of two floats, and null if a token has more
// smallest units than 64 bits can count.
func TestAmounts(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	mint := build.PublicKey(s.Keypair("mint"))
	for _, test := range []struct {
		supply   uint64
		decimals byte
		want     object
	}{
		{0, 6, uiText("0", 6, 0, "0")},
		{1, 0, uiText("1", 0, 1, "1")},
		{1<<64 - 1, 9, uiText("18446744073709551615", 9, 18446744073.709551615, "18446744073.709551615")},
		{1<<53 + 1, 3, uiText("9007199254740993", 3, 9007199254740992.0/1000, "9007199254740.993")},
		{5, 19, uiText("5", 19, 5e-19, "0.0000000000000000005")},
		{5, 20, object{"amount": "5", "decimals": 20, "uiAmount": nil, "uiAmountString": "0.00000000000000000005"}},
	} {
		data := slices.Concat(none, noKey, number(8, test.supply), []byte{test.decimals, 1}, none, noKey)
		s.Put(mint, ledger.Account{Lamports: 1, Owner: solana.TokenProgramID, Data: data})
		assert.JSONEq(t, text(test.want), text(s.ok(t, 0, "getTokenSupply", mint).At("value")))
	}
}

// TestAnySliceOfData: a slice that begins or ends after the data has what there is of it. The numbers of
// slices and filters have 64 bits without a sign, and are no others.
func TestAnySliceOfData(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	mine := s.Token("USDC").Account(build.PublicKey(s.Wallet()))
	data := s.AccountAt(mine, 1<<63).Data
	most := uint64(1<<64 - 1)
	for _, test := range []struct {
		offset, length uint64
		want           []byte
	}{
		{0, most, data}, {1, most, data[1:]}, {1, 1<<63 - 1, data[1:]}, {164, 2, data[164:]}, {165, 1, nil}, {166, 0, nil},
		{most, most, nil}, {1<<63 - 1, 1<<63 - 1, nil}, {1 << 63, 1 << 63, nil}, {0, 0, nil},
	} {
		config := object{"encoding": "base64", "dataSlice": object{"offset": test.offset, "length": test.length}}
		want := base64.StdEncoding.EncodeToString(test.want)
		assert.Equal(t, want, s.ok(t, 0, "getAccountInfo", mine, config).Text("value", "data", 0), test)
		config["filters"] = []any{object{"memcmp": object{"offset": 0, "bytes": data[:64], "encoding": "base64"}}, object{"dataSize": 165}}
		assert.Equal(t, want, s.ok(t, 0, "getProgramAccounts", solana.TokenProgramID, config).Text(0, "account", "data", 0), test)
	}
	size := "Invalid params: invalid value: integer `-1`, expected usize."
	for config, name := range map[string]string{
		`{"dataSlice":{"offset":-1,"length":1}}`: "getAccountInfo", `{"dataSlice":{"offset":0,"length":-1}}`: "getAccountInfo",
		`{"limit":-1}`: "getSignaturesForAddress",
	} {
		s.answers(t, []asked{{name, []any{mine, json.RawMessage(config)}, nil, size, "-32602"}})
	}
	s.answers(t, []asked{{"getTransaction", []any{strings.Repeat("1", 64), object{"maxSupportedTransactionVersion": -1}}, nil,
		"Invalid params: data did not match any variant of untagged enum RpcEncodingConfigWrapper.", "-32602"}})
	for _, filter := range []object{{"dataSize": most}, {"memcmp": object{"offset": most, "bytes": "2"}}} {
		none := s.ok(t, 0, "getProgramAccounts", solana.TokenProgramID, object{"filters": []any{filter}})
		assert.Equal(t, `[]`, text(none.JSON), filter)
	}
}

// TestZstd compresses the part of the data that was asked for.
func TestZstd(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	mine := s.Token("USDC").Account(build.PublicKey(s.Wallet()))
	for _, slice := range []any{nil, object{"offset": 64, "length": 8}} {
		read := func(encoding string) ([]byte, string) {
			a := s.ok(t, 0, "getAccountInfo", mine, object{"encoding": encoding, "dataSlice": slice})
			raw, err := base64.StdEncoding.DecodeString(a.Text("value", "data", 0))
			require.NoError(t, err)
			return raw, a.Text("value", "data", 1)
		}
		plain, _ := read("base64")
		frame, name := read("base64+zstd")
		decoder, err := zstd.NewReader(nil)
		require.NoError(t, err)
		got, err := decoder.DecodeAll(frame, nil)
		decoder.Close()
		require.NoError(t, err)
		assert.Equal(t, plain, got)
		assert.Equal(t, "base64+zstd", name)
	}
	s.answers(t, []asked{{"getAccountInfo", []any{mine, object{"encoding": "hex"}}, nil, "Invalid params: unknown variant " +
		"`hex`, expected one of `binary`, `base58`, `base64`, `jsonParsed`, `base64+zstd`.", "-32602"}})
}
