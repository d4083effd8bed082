package rpcnode

import (
	"encoding/binary"
	"slices"

	"github.com/walletfi/walletfi-go/signing"
)

// systemLayouts are the System program's: a u32 tag, then the fields.
var systemLayouts = map[string]layout{
	"createAccount": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("source", "newAccount"), systemData(
			0, u64(f.number("lamports")), u64(f.number("space")), f.bytes("owner"),
		)
	},
	"assign": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("account"), systemData(1, f.bytes("owner"))
	},
	"transfer": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("source", "destination"), systemData(2, u64(f.number("lamports")))
	},
	"createAccountWithSeed": func(f *fields) ([]signing.PublicKey, []byte) {
		accounts := f.keys("source", "newAccount")
		if base := f.key("base"); base != accounts[0] {
			accounts = append(accounts, base)
		}
		return accounts, systemData(
			3, f.bytes("base"), f.seed("seed"), u64(f.number("lamports")), u64(f.number("space")), f.bytes("owner"),
		)
	},
	"advanceNonce": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("nonceAccount", "recentBlockhashesSysvar", "nonceAuthority"), systemData(4)
	},
	"withdrawFromNonce": func(f *fields) ([]signing.PublicKey, []byte) {
		keys := f.keys("nonceAccount", "destination", "recentBlockhashesSysvar", "rentSysvar", "nonceAuthority")
		return keys, systemData(5, u64(f.number("lamports")))
	},
	"initializeNonce": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("nonceAccount", "recentBlockhashesSysvar", "rentSysvar"), systemData(6, f.bytes("nonceAuthority"))
	},
	"authorizeNonce": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("nonceAccount", "nonceAuthority"), systemData(7, f.bytes("newAuthorized"))
	},
	"allocate": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("account"), systemData(8, u64(f.number("space")))
	},
	"allocateWithSeed": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("account", "base"), systemData(
			9, f.bytes("base"), f.seed("seed"), u64(f.number("space")), f.bytes("owner"),
		)
	},
	"assignWithSeed": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("account", "base"), systemData(10, f.bytes("base"), f.seed("seed"), f.bytes("owner"))
	},
	"transferWithSeed": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("source", "sourceBase", "destination"), systemData(
			11, u64(f.number("lamports")), f.seed("sourceSeed"), f.bytes("sourceOwner"),
		)
	},
	"upgradeNonce": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("nonceAccount"), systemData(12)
	},
}

// associatedTokenLayouts are the associated token program's: a tag, no fields.
var associatedTokenLayouts = map[string]layout{
	"create":           associatedCreate(0),
	"createIdempotent": associatedCreate(1),
	"recoverNested": func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys(
			"nestedSource", "nestedMint", "destination", "nestedOwner", "ownerMint", "wallet", "tokenProgram",
		), []byte{2}
	},
}

func associatedCreate(tag byte) layout {
	return func(f *fields) ([]signing.PublicKey, []byte) {
		return f.keys("source", "account", "wallet", "mint", "systemProgram", "tokenProgram"), []byte{tag}
	}
}

func systemData(tag uint32, parts ...[]byte) []byte {
	return append(binary.LittleEndian.AppendUint32(nil, tag), slices.Concat(parts...)...)
}

// bytes reads a key as the bytes that it is.
func (f *fields) bytes(name string) []byte {
	k := f.key(name)
	return k[:]
}

// seed reads a text with its length before it.
func (f *fields) seed(name string) []byte {
	s := f.text(name)
	return append(u64(uint64(len(s))), s...)
}
