package node

import (
	"encoding/binary"
	"strings"
	"unicode/utf8"

	"github.com/gagliardetto/solana-go"
	"github.com/mr-tron/base58"

	"github.com/walletfi/walletfi-go/sandbox/internal/kit"
	"github.com/walletfi/walletfi-go/sandbox/internal/ledger"
)

// parser knows the instructions of a program: its name, how many bytes of the data are the
// number of the instruction, and the form of each by number.
//
// A form is the name of the instruction, its accounts and its fields, with "|" between
// them. "*" follows an account that may be a multisig, whose signers come after it, "+" one
// that stands for all from there on, and "?" one that may be missing.
type parser struct {
	name  string
	tag   int
	forms map[uint32]string
}

var parsers = map[solana.PublicKey]*parser{
	solana.SystemProgramID:                    {"system", 4, systemForms},
	solana.TokenProgramID:                     {"spl-token", 1, tokenForms},
	solana.Token2022ProgramID:                 {"spl-token", 1, tokenForms},
	solana.SPLAssociatedTokenAccountProgramID: {"spl-associated-token-account", 1, associatedForms},
	solana.AddressLookupTableProgramID:        {"address-lookup-table", 4, tableForms},
	solana.VoteProgramID:                      {"vote", 4, voteForms},
}

// memoPrograms are those whose instructions are texts.
var memoPrograms = map[solana.PublicKey]bool{
	solana.MemoProgramID: true,
	solana.MustPublicKeyFromBase58("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"): true,
	solana.MustPublicKeyFromBase58("Memo4c2pN8afCj432Lb7RMVKi9PbQnnW7ewFFaV3oAH"): true,
}

// parsedInstruction writes an instruction as nodes do for jsonParsed: parsed if the program
// and the instruction are known, partially decoded otherwise.
func parsedInstruction(keys []solana.PublicKey, in ledger.Compiled, depth int) any {
	program := keys[in.Program]
	accounts := kit.List(in.Accounts, func(i int) string { return keys[i].String() })
	told := map[string]any{"programId": program, "stackHeight": depth}
	if memoPrograms[program] && utf8.Valid(in.Data) {
		told["program"], told["parsed"] = "spl-memo", string(in.Data)
		return told
	}
	if p := parsers[program]; p != nil {
		data := in.Data
		if len(data) == 0 && program == solana.SPLAssociatedTokenAccountProgramID {
			data = []byte{0} // an account may be created without
		}
		if kind, info := p.parse(data, accounts); kind != "" {
			told["program"], told["parsed"] = p.name, map[string]any{"type": kind, "info": info}
			return told
		}
	}
	told["accounts"], told["data"] = accounts, base58.Encode(in.Data)
	return told
}

// parse returns the name of an instruction with its accounts and fields, no name if it is
// unknown or not whole.
func (p *parser) parse(data []byte, accounts []string) (kind string, info map[string]any) {
	if len(data) < p.tag {
		return "", nil
	}
	f := &fields{rest: data[p.tag:]}
	tag := binary.LittleEndian.Uint32(append(data[:p.tag:p.tag], 0, 0, 0))
	form, ok := p.forms[tag]
	if !ok && p.tag == 1 && len(f.rest) > 0 {
		form, ok = p.forms[extensionForm(data[0], f.u8())]
	}
	if !ok {
		return "", nil
	}
	parts := strings.SplitN(form, "|", 3)
	info, whole := f.object(parts[2])
	if !whole || !label(info, strings.Fields(parts[1]), accounts) {
		return "", nil
	}
	if owned, ok := info["accountOrMint"]; ok { // whose authority it is follows from which it is
		info[holder(info["authorityType"])] = owned
		delete(info, "accountOrMint")
	}
	return parts[0], info
}

// extensionForm is the number of an instruction of an extension of tokens.
func extensionForm(extension, tag byte) uint32 { return 1<<16 | uint32(extension)<<8 | uint32(tag) }

// label writes the accounts of an instruction under their names. It reports whether they are
// all there.
func label(info map[string]any, names, accounts []string) bool {
	for i, name := range names {
		switch last := name[len(name)-1]; {
		case i >= len(accounts):
			return last == '?'
		case last == '+':
			info[name[:len(name)-1]] = accounts[i:]
		case last == '*' && len(accounts) > i+1:
			name = name[:len(name)-1]
			info["multisig"+strings.ToUpper(name[:1])+name[1:]], info["signers"] = accounts[i], accounts[i+1:]
		default:
			info[strings.TrimRight(name, "*?")] = accounts[i]
		}
	}
	return true
}

// special reads the fields that only instructions have.
func (f *fields) special(into map[string]any, name, kind string) {
	switch kind {
	case "authority":
		number := f.u8()
		if f.short = f.short || int(number) >= len(authorities); !f.short {
			into[name] = authorities[number]
		}
	case "withFee":
		amount, decimals := f.u64(), f.u8()
		into["tokenAmount"], into["feeAmount"] = uiAmount(amount, decimals), uiAmount(f.u64(), decimals)
	case "extensions":
		if len(f.rest) == 0 {
			return
		}
		kinds := []string{}
		for len(f.rest) > 0 {
			number := f.u16()
			kinds = append(kinds, extensions[number][0])
			f.short = f.short || extensions[number][0] == ""
		}
		into[name] = kinds
	case "maybe":
		if f.u8() == 1 {
			into[name] = f.amount()
		}
	case "tower":
		into[name] = f.tower()
	default:
		panic("sandbox: no type " + kind)
	}
}

// tower reads a validator's votes: the slot of its root, how far each vote is from the one
// before it and how often it is confirmed, and what they are for.
func (f *fields) tower() any {
	root := f.u64()
	slot, lockouts := root, []any{}
	for range f.u8() {
		distance, n := uint64(0), byte(0x80)
		for shift := 0; n >= 0x80; shift += 7 {
			n = f.u8()
			distance |= uint64(n&0x7f) << shift
		}
		slot += distance
		lockouts = append(lockouts, map[string]any{"slot": slot, "confirmation_count": f.u8()})
	}
	tower := map[string]any{"root": root, "lockouts": lockouts, "hash": f.key(), "timestamp": nil}
	if f.flag() {
		tower["timestamp"] = int64(f.u64())
	}
	tower["blockId"] = f.key()
	return tower
}
