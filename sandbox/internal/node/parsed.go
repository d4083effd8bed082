package node

import (
	"encoding/binary"
	"strconv"

	"github.com/gagliardetto/solana-go"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// parsedAccount is the data of an account as nodes write it for jsonParsed, nil if they
// have no parser for it. A sysvar is told by its address. look finds the mint of a token account.
func parsedAccount(key solana.PublicKey, a *ledger.Account, look lookup) any {
	var program, kind string
	var info any
	switch a.Owner {
	case solana.TokenProgramID:
		program = "spl-token"
		kind, info = parsedToken(a, look)
	case solana.Token2022ProgramID:
		program = "spl-token-2022"
		kind, info = parsedToken(a, look)
	case solana.SystemProgramID:
		program = "nonce"
		kind, info = parsedNonce(a)
	case solana.AddressLookupTableProgramID:
		program = "address-lookup-table"
		kind, info = parsedTable(a.Data)
	case solana.StakeProgramID:
		program = "stake"
		kind, info = parsedStake(a.Data)
	case ledger.SysvarProgram:
		program = "sysvar"
		kind, info = parsedSysvar(key, a.Data)
	}
	if kind == "" {
		return nil
	}
	parsed := map[string]any{"type": kind}
	if info != nil {
		parsed["info"] = info
	}
	return map[string]any{"program": program, "parsed": parsed, "space": len(a.Data)}
}

// multisigSize is how long the account of a multisig is.
const multisigSize = 355

func parsedToken(a *ledger.Account, look lookup) (string, any) {
	if t, ok := ledger.AsToken(a); ok && look != nil {
		mint, ok := ledger.AsMint(look(t.Mint()))
		if !ok {
			return "", nil
		}
		return "account", tokenInfo(t, func(amount uint64) any { return mintAmount(amount, mint, look) })
	}
	if m, ok := ledger.AsMint(a); ok {
		info := map[string]any{
			"mintAuthority": nil, "supply": strconv.FormatUint(m.Supply(), 10), "decimals": m.Decimals(),
			"isInitialized": true, "freezeAuthority": nil,
		}
		set(info, "mintAuthority", m.Authority)
		set(info, "freezeAuthority", m.FreezeAuthority)
		return "mint", extended(info, a.Data)
	}
	if len(a.Data) != multisigSize || a.Data[2] != 1 {
		return "", nil
	}
	signers := []solana.PublicKey{}
	for at := 3; at < multisigSize; at += 32 {
		if key := solana.PublicKeyFromBytes(a.Data[at : at+32]); !key.IsZero() {
			signers = append(signers, key)
		}
	}
	return "multisig", map[string]any{
		"numRequiredSigners": a.Data[0], "numValidSigners": a.Data[1], "isInitialized": true, "signers": signers,
	}
}

// set writes a key if there is one.
func set(info map[string]any, name string, key func() (solana.PublicKey, bool)) {
	if k, ok := key(); ok {
		info[name] = k
	}
}

func tokenInfo(t ledger.Token, shown func(amount uint64) any) any {
	info := map[string]any{
		"mint": t.Mint(), "owner": t.Owner(), "tokenAmount": shown(t.Amount()),
		"state": states[1], "isNative": t.Native(),
	}
	if t.Frozen() {
		info["state"] = states[2]
	}
	if t.Native() {
		info["rentExemptReserve"] = shown(binary.LittleEndian.Uint64(t[113:]))
	}
	set(info, "delegate", t.Delegate)
	if _, ok := t.Delegate(); ok {
		info["delegatedAmount"] = shown(t.DelegatedAmount())
	}
	set(info, "closeAuthority", t.CloseAuthority)
	return extended(info, t)
}

// extensionsAt is where those of Token-2022 begin, after the account and its kind.
const extensionsAt = 166

// extensions are the names of those of Token-2022 by number, with their layouts.
var extensions = map[uint16][2]string{
	1: {"transferFeeConfig", "transferFeeConfigAuthority:set withdrawWithheldAuthority:set withheldAmount:u64 " +
		"olderTransferFee:fee newerTransferFee:fee"},
	2: {"transferFeeAmount", "withheldAmount:u64"},
	3: {"mintCloseAuthority", "closeAuthority:set"},
	4: {"confidentialTransferMint", "authority:set autoApproveNewAccounts:bool auditorElgamalPubkey:elgamal"},
	6: {"defaultAccountState", "accountState:state"},
	7: {"immutableOwner"},
	8: {"memoTransfer", "requireIncomingTransferMemos:bool"},
	9: {"nonTransferable"},
	10: {"interestBearingConfig", "rateAuthority:set initializationTimestamp:i64 preUpdateAverageRate:i16 " +
		"lastUpdateTimestamp:i64 currentRate:i16"},
	11: {"cpiGuard", "lockCpi:bool"},
	12: {"permanentDelegate", "delegate:set"},
	13: {"nonTransferableAccount"},
	14: {"transferHook", "authority:set programId:set"},
	15: {"transferHookAccount", "transferring:bool"},
	18: {"metadataPointer", "authority:set metadataAddress:set"},
	19: {"tokenMetadata", "updateAuthority:set mint:key name:text symbol:text uri:text additionalMetadata:pairs"},
	20: {"groupPointer", "authority:set groupAddress:set"},
	21: {"tokenGroup", "updateAuthority:set mint:key size:u64 maxSize:u64"},
	22: {"groupMemberPointer", "authority:set memberAddress:set"},
	23: {"tokenGroupMember", "mint:key group:key memberNumber:u64"},
	25: {"scaledUiAmountConfig", "authority:set multiplier:real newMultiplierEffectiveTimestamp:i64 newMultiplier:real"},
	26: {"pausableConfig", "authority:set paused:bool"},
	27: {"pausableAccount"},
}

// extended adds the extensions that an account has, if there are any.
func extended(info map[string]any, data []byte) any {
	var all []any
	for f := (&fields{rest: data[min(len(data), extensionsAt):]}); len(f.rest) >= 4; {
		kind, value := f.u16(), &fields{rest: f.bytes(uint64(f.u16()))}
		if kind == 0 || f.short {
			break
		}
		told := map[string]any{"extension": "unparsableExtension"}
		if known, ok := extensions[kind]; ok {
			state, whole := value.object(known[1])
			if whole = whole && len(value.rest) == 0; whole {
				told["extension"] = known[0]
			}
			if whole && known[1] != "" {
				told["state"] = state
			}
		}
		all = append(all, told)
	}
	if all != nil {
		info["extensions"] = all
	}
	return info
}

// nonce is the state of a nonce account.
type nonce struct {
	authority solana.PublicKey
	blockhash solana.Hash
	fee       string // lamports a signature
}

// nonceOf reads an initialized nonce account.
func nonceOf(a *ledger.Account) (n nonce, ok bool) {
	if a == nil || a.Owner != solana.SystemProgramID {
		return n, false
	}
	f := &fields{rest: a.Data}
	version, state := f.u32(), f.u32()
	n = nonce{f.key(), solana.Hash(f.key()), f.amount()}
	return n, !f.short && version <= 1 && state == 1
}

func parsedNonce(a *ledger.Account) (string, any) {
	n, ok := nonceOf(a)
	if !ok {
		return "", nil
	}
	return "initialized", map[string]any{
		"authority": n.authority, "blockhash": n.blockhash, "feeCalculator": map[string]any{"lamportsPerSignature": n.fee},
	}
}

// tableHeader is how long a lookup table is without addresses.
const tableHeader = 56

func parsedTable(data []byte) (string, any) {
	f := &fields{rest: data}
	kind := f.u32()
	if kind == 0 && !f.short {
		return "uninitialized", nil
	}
	info := map[string]any{
		"deactivationSlot": f.amount(), "lastExtendedSlot": f.amount(), "lastExtendedSlotStartIndex": f.u8(),
	}
	if authority := f.optional(); authority != nil {
		info["authority"] = authority
	}
	if kind != 1 || f.short || len(data) < tableHeader {
		return "", nil
	}
	info["addresses"] = kit.List(ledger.TableKeys(data), func(key solana.PublicKey) any { return key })
	return "lookupTable", info
}

// parsedStake reads an account of the stake program.
func parsedStake(data []byte) (string, any) {
	f := &fields{rest: data}
	kind := f.u32()
	switch {
	case f.short:
		return "", nil
	case kind == 0:
		return "uninitialized", nil
	case kind == 3:
		return "rewardsPool", nil
	}
	meta := map[string]any{
		"rentExemptReserve": f.amount(), "authorized": map[string]any{"staker": f.key(), "withdrawer": f.key()},
		"lockup": map[string]any{"unixTimestamp": int64(f.u64()), "epoch": f.u64(), "custodian": f.key()},
	}
	info := map[string]any{"meta": meta, "stake": nil}
	name := "initialized"
	if kind == 2 {
		name = "delegated"
		delegation := map[string]any{
			"voter": f.key(), "stake": f.amount(), "activationEpoch": f.amount(), "deactivationEpoch": f.amount(),
			"warmupCooldownRate": 0.25,
		}
		f.u64() // of that rate, which has one value
		info["stake"] = map[string]any{"delegation": delegation, "creditsObserved": f.u64()}
	}
	if kind > 2 || f.short {
		return "", nil
	}
	return name, info
}
