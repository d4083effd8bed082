package node_test

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/gagliardetto/solana-go"
	"github.com/stretchr/testify/assert"

	"github.com/walletfi/walletfi-go/sandbox/internal/build"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
	"github.com/walletfi/walletfi-go/sandbox/play"
)

// number is an integer of so many bytes.
func number(size int, v uint64) []byte { return binary.LittleEndian.AppendUint64(nil, v)[:size] }

// borsh is a text with its length before it.
func borsh(s string) []byte { return append(number(4, uint64(len(s))), s...) }

var (
	keyA, keyB = solana.PublicKey{1, 2}, solana.PublicKey{3, 4}
	noKey      = make([]byte, 32)
	some, none = number(4, 1), number(4, 0)
)

// tokenOf is the data of a token account, whose delegate and close authority may be missing.
func tokenOf(mint solana.PublicKey, state byte, native, delegate, closer []byte) []byte {
	return slices.Concat(mint[:], keyA[:], number(8, 1_500_000), delegate, []byte{state}, native, number(8, 70), closer)
}

func (s *started) parsed(t *testing.T, a ledger.Account) any {
	t.Helper()
	key := build.PublicKey(s.Keypair("parsed"))
	a.Lamports = 1
	s.Put(key, a)
	return s.ok(t, 0, "getAccountInfo", key, object{"encoding": "jsonParsed"}).At("value", "data")
}

func TestParsedAccounts(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	usdc := s.Token("USDC").Key
	without, with := append(none, noKey...), append(some, keyB[:]...)
	notNative, native := append(none, number(8, 0)...), append(some, number(8, 2_039_280)...)
	amount := uiText("1500000", 6, 1.5, "1.5")
	account := func(state string, more object) object {
		info := object{"mint": usdc, "owner": keyA, "tokenAmount": amount, "state": state, "isNative": false}
		for name, v := range more {
			info[name] = v
		}
		return info
	}
	token, stake, table := solana.TokenProgramID, solana.StakeProgramID, solana.AddressLookupTableProgramID
	meta := slices.Concat(number(8, 9), keyA[:], keyB[:], number(8, math.MaxUint64), number(8, 5), keyB[:])
	staked := object{"rentExemptReserve": "9", "authorized": object{"staker": keyA, "withdrawer": keyB},
		"lockup": object{"unixTimestamp": -1, "epoch": 5, "custodian": keyB}}
	for _, test := range []struct {
		name    string
		owner   solana.PublicKey
		data    []byte
		program string // of the answer, empty if it is not parsed
		kind    string
		info    any
	}{
		{"account", token, tokenOf(usdc, 1, notNative, without, without), "spl-token", "account", account("initialized", nil)},
		{"delegated", token, tokenOf(usdc, 2, notNative, with, with), "spl-token", "account", account("frozen",
			object{"delegate": keyB, "delegatedAmount": uiText("70", 6, 0.00007, "0.00007"), "closeAuthority": keyB})},
		{"native", token, tokenOf(usdc, 1, native, without, without), "spl-token", "account", account("initialized",
			object{"isNative": true, "rentExemptReserve": uiText("2039280", 6, 2.03928, "2.03928")})},
		{"no mint", token, tokenOf(keyA, 1, notNative, without, without), "", "", nil},
		{"not initialized", token, tokenOf(usdc, 0, notNative, without, without), "", "", nil},
		{"mint", token, slices.Concat(with, number(8, math.MaxUint64), []byte{3, 1}, without), "spl-token", "mint",
			object{"mintAuthority": keyB, "supply": "18446744073709551615", "decimals": 3, "isInitialized": true, "freezeAuthority": nil}},
		{"multisig", token, slices.Concat([]byte{1, 2, 1}, keyA[:], keyB[:], make([]byte, 9*32)), "spl-token", "multisig", object{
			"numRequiredSigners": 1, "numValidSigners": 2, "isInitialized": true, "signers": []any{keyA, keyB}}},
		{"no multisig", token, make([]byte, 355), "", "", nil},
		{"table", table, slices.Concat(number(4, 1), number(8, math.MaxUint64), number(8, 12), []byte{3, 1}, keyA[:], []byte{0, 0},
			keyB[:], keyA[:]), "address-lookup-table", "lookupTable", object{"deactivationSlot": "18446744073709551615",
			"lastExtendedSlot": "12", "lastExtendedSlotStartIndex": 3, "authority": keyA, "addresses": []any{keyB, keyA}}},
		{"frozen table", table, slices.Concat(number(4, 1), number(8, 7), number(8, 12), []byte{0, 0}, noKey, []byte{0, 0}),
			"address-lookup-table", "lookupTable", object{"deactivationSlot": "7", "lastExtendedSlot": "12",
				"lastExtendedSlotStartIndex": 0, "addresses": []any{}}},
		{"no table", table, make([]byte, 56), "address-lookup-table", "uninitialized", nil},
		{"short table", table, number(8, 1), "", "", nil},
		{"no stake", stake, make([]byte, 200), "stake", "uninitialized", nil},
		{"stake", stake, slices.Concat(number(4, 1), meta, make([]byte, 80)), "stake", "initialized", object{"meta": staked, "stake": nil}},
		{"delegation", stake, slices.Concat(number(4, 2), meta, keyA[:], number(8, 11), number(8, 12), number(8, math.MaxUint64),
			number(8, math.Float64bits(0.25)), number(8, 14), []byte{0, 0, 0, 0}), "stake", "delegated", object{"meta": staked,
			"stake": object{"creditsObserved": 14, "delegation": object{"voter": keyA, "stake": "11", "activationEpoch": "12",
				"deactivationEpoch": "18446744073709551615", "warmupCooldownRate": 0.25}}}},
		{"short stake", stake, number(4, 2), "", "", nil},
		{"nonce", solana.SystemProgramID, slices.Concat(number(4, 1), number(4, 1), keyA[:], keyB[:], number(8, 5000)), "nonce",
			"initialized", object{"authority": keyA, "blockhash": keyB, "feeCalculator": object{"lamportsPerSignature": "5000"}}},
		{"no nonce", solana.SystemProgramID, make([]byte, 80), "", "", nil},
		{"a wallet", solana.SystemProgramID, nil, "", "", nil},
		{"of nobody", keyA, make([]byte, 165), "", "", nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			var want any = []string{base64.StdEncoding.EncodeToString(test.data), "base64"}
			if test.program != "" {
				parsed := object{"type": test.kind}
				if test.info != nil {
					parsed["info"] = test.info
				}
				want = object{"program": test.program, "space": len(test.data), "parsed": parsed}
			}
			got := s.parsed(t, ledger.Account{Owner: test.owner, Data: test.data})
			assert.JSONEq(t, text(want), text(got))
		})
	}
}

// TestParsedExtensions reads each extension of Token-2022, in a mint or in an account.
func TestParsedExtensions(t *testing.T) {
	s := start(t, play.Config{ManualClock: true})
	mint := slices.Concat(none, noKey, number(8, 1), []byte{6, 1}, none, noKey, make([]byte, 83), []byte{1})
	both := slices.Concat(keyA[:], keyB[:])
	fee := func(epoch, most, points uint64) []byte {
		return slices.Concat(number(8, epoch), number(8, most), number(2, points))
	}
	real := func(v float64) []byte { return number(8, math.Float64bits(v)) }
	for _, test := range []struct {
		kind  int
		value []byte
		name  string
		state any
	}{
		{1, slices.Concat(keyA[:], noKey, number(8, 5), fee(1, 2, 3), fee(4, 5, 6)), "transferFeeConfig", object{
			"transferFeeConfigAuthority": keyA, "withdrawWithheldAuthority": nil, "withheldAmount": 5,
			"olderTransferFee": object{"epoch": 1, "maximumFee": 2, "transferFeeBasisPoints": 3},
			"newerTransferFee": object{"epoch": 4, "maximumFee": 5, "transferFeeBasisPoints": 6}}},
		{2, number(8, 9), "transferFeeAmount", object{"withheldAmount": 9}},
		{3, keyA[:], "mintCloseAuthority", object{"closeAuthority": keyA}},
		{4, slices.Concat(keyA[:], []byte{1}, noKey), "confidentialTransferMint", object{"authority": keyA,
			"autoApproveNewAccounts": true, "auditorElgamalPubkey": nil}},
		{4, slices.Concat(noKey, []byte{0}, keyA[:]), "confidentialTransferMint", object{"authority": nil,
			"autoApproveNewAccounts": false, "auditorElgamalPubkey": base64.StdEncoding.EncodeToString(keyA[:])}},
		{6, []byte{2}, "defaultAccountState", object{"accountState": "frozen"}},
		{7, nil, "immutableOwner", nil},
		{8, []byte{1}, "memoTransfer", object{"requireIncomingTransferMemos": true}},
		{9, nil, "nonTransferable", nil},
		{10, slices.Concat(keyA[:], number(8, 1), number(2, 0xffff), number(8, 3), number(2, 4)), "interestBearingConfig", object{
			"rateAuthority": keyA, "initializationTimestamp": 1, "preUpdateAverageRate": -1, "lastUpdateTimestamp": 3, "currentRate": 4}},
		{11, []byte{1}, "cpiGuard", object{"lockCpi": true}},
		{12, keyA[:], "permanentDelegate", object{"delegate": keyA}},
		{13, nil, "nonTransferableAccount", nil},
		{14, both, "transferHook", object{"authority": keyA, "programId": keyB}},
		{15, []byte{0}, "transferHookAccount", object{"transferring": false}},
		{18, both, "metadataPointer", object{"authority": keyA, "metadataAddress": keyB}},
		{19, slices.Concat(both, borsh("n"), borsh("s"), borsh("u"), number(4, 1), borsh("k"), borsh("v")), "tokenMetadata", object{
			"updateAuthority": keyA, "mint": keyB, "name": "n", "symbol": "s", "uri": "u", "additionalMetadata": [][]string{{"k", "v"}}}},
		{20, both, "groupPointer", object{"authority": keyA, "groupAddress": keyB}},
		{21, slices.Concat(both, number(8, 1), number(8, 2)), "tokenGroup", object{
			"updateAuthority": keyA, "mint": keyB, "size": 1, "maxSize": 2}},
		{22, both, "groupMemberPointer", object{"authority": keyA, "memberAddress": keyB}},
		{23, slices.Concat(both, number(8, 3)), "tokenGroupMember", object{"mint": keyA, "group": keyB, "memberNumber": 3}},
		{25, slices.Concat(keyA[:], real(1.5), number(8, 7), real(2)), "scaledUiAmountConfig", object{
			"authority": keyA, "multiplier": "1.5", "newMultiplierEffectiveTimestamp": 7, "newMultiplier": "2"}},
		{26, slices.Concat(noKey, []byte{1}), "pausableConfig", object{"authority": nil, "paused": true}},
		{27, nil, "pausableAccount", nil},
		{5, make([]byte, 295), "unparsableExtension", nil},
		{2, make([]byte, 9), "unparsableExtension", nil},
		{3, []byte{1}, "unparsableExtension", nil},
		{19, slices.Concat(both, number(4, math.MaxUint32)), "unparsableExtension", nil},
	} {
		data := slices.Concat(mint, number(2, uint64(test.kind)), number(2, uint64(len(test.value))), test.value)
		got := answer{JSON: s.parsed(t, ledger.Account{Owner: solana.Token2022ProgramID, Data: data})}
		want := object{"extension": test.name}
		if test.state != nil {
			want["state"] = test.state
		}
		assert.Equal(t, "spl-token-2022", got.Text("program"))
		assert.JSONEq(t, text([]any{want}), text(got.At("parsed", "info", "extensions")), hex.EncodeToString(test.value))
	}
	account := s.ok(t, 0, "getTokenAccountsByOwner", s.vault(), object{"programId": solana.Token2022ProgramID},
		object{"encoding": "jsonParsed"})
	names := text(account.At("value", 0, "account", "data", "parsed", "info", "extensions"))
	assert.Equal(t, 2, strings.Count(names, `"extension":`), "immutableOwner and transferFeeAmount: %s", names)
}

// vault holds each token.
func (s *started) vault() solana.PublicKey {
	owner := build.PublicKey(s.Keypair("taxed"))
	s.MintTo(owner, s.Token("TAXED").Key, 1_000_000)
	return owner
}
