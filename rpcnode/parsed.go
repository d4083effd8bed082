package rpcnode

import (
	"encoding/binary"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"github.com/walletfi/walletfi-go/signing"
)

// Nodes tell the calls of well-known programs parsed: a type and named fields
// in place of bytes. The guard judges bytes, so that they are put together
// again here, in each program's own layout.

// Programs whose parsed instructions are put back into bytes, except the token
// programs.
var (
	associatedTokenProgram = signing.MustPublicKey("ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL")
	memoProgram            = signing.MustPublicKey("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")
	memoProgramV1          = signing.MustPublicKey("Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo")
)

// layout puts one type of instruction together.
type layout func(f *fields) (accounts []signing.PublicKey, data []byte)

func layoutsOf(program signing.PublicKey) map[string]layout {
	switch program {
	case signing.SystemProgram:
		return systemLayouts
	case signing.TokenProgram, signing.Token2022Program:
		return tokenLayouts
	case associatedTokenProgram:
		return associatedTokenLayouts
	}
	return nil
}

// reencode puts a parsed instruction into bytes. Of one that has no layout
// here, or lacks a field, Data is nil and Accounts are all keys that it names.
func reencode(program signing.PublicKey, parsed json.RawMessage) signing.InnerInstruction {
	out := signing.InnerInstruction{Program: program}
	var memo string
	if (program == memoProgram || program == memoProgramV1) && json.Unmarshal(parsed, &memo) == nil {
		out.Data = []byte(memo)
		return out
	}
	var ins struct {
		Type string                     `json:"type"`
		Info map[string]json.RawMessage `json:"info"`
	}
	if json.Unmarshal(parsed, &ins) != nil {
		out.Accounts = keysIn(parsed)
		return out
	}
	if put, ok := layoutsOf(program)[ins.Type]; ok {
		f := &fields{of: ins.Info}
		accounts, data := put(f)
		if !f.missing {
			out.Accounts, out.Data = accounts, data
			return out
		}
	}
	out.Accounts = keysIn(parsed)
	return out
}

// keysIn returns every key in a JSON value, at any depth.
func keysIn(value json.RawMessage) (keys []signing.PublicKey) {
	var text string
	var list []json.RawMessage
	var object map[string]json.RawMessage
	switch {
	case json.Unmarshal(value, &text) == nil:
		if k, err := signing.ParsePublicKey(text); err == nil {
			keys = append(keys, k)
		}
	case json.Unmarshal(value, &list) == nil:
		for _, item := range list {
			keys = append(keys, keysIn(item)...)
		}
	case json.Unmarshal(value, &object) == nil:
		for _, name := range slices.Sorted(maps.Keys(object)) {
			keys = append(keys, keysIn(object[name])...)
		}
	}
	return keys
}

// fields reads the named fields of a parsed instruction, and remembers whether
// one was missing or was not what it should be.
type fields struct {
	of      map[string]json.RawMessage
	missing bool
}

func (f *fields) has(name string) bool {
	value, ok := f.of[name]
	return ok && string(value) != "null"
}

func (f *fields) read(name string, v any) {
	if !f.has(name) || json.Unmarshal(f.of[name], v) != nil {
		f.missing = true
	}
}

func (f *fields) key(name string) (k signing.PublicKey) {
	f.read(name, &k)
	return k
}

// keys reads several single keys.
func (f *fields) keys(names ...string) []signing.PublicKey {
	keys := make([]signing.PublicKey, len(names))
	for i, name := range names {
		keys[i] = f.key(name)
	}
	return keys
}

func (f *fields) text(name string) (s string) {
	f.read(name, &s)
	return s
}

// number reads a u64 that may be a JSON number or a string of digits.
func (f *fields) number(name string) uint64 {
	var text string
	if json.Unmarshal(f.of[name], &text) != nil {
		text = string(f.of[name])
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		f.missing = true
	}
	return n
}

// amount reads an amount with its decimals.
func (f *fields) amount(name string) (units uint64, decimals uint8) {
	inner := &fields{}
	f.read(name, &inner.of)
	units = inner.number("amount")
	inner.read("decimals", &decimals)
	f.missing = f.missing || inner.missing
	return units, decimals
}

// authority reads who signs: one key under the plain name, or a multisig under
// another with its signers.
func (f *fields) authority(plain, multisig string) []signing.PublicKey {
	if !f.has(multisig) {
		return []signing.PublicKey{f.key(plain)}
	}
	var signers []signing.PublicKey
	f.read("signers", &signers)
	return append([]signing.PublicKey{f.key(multisig)}, signers...)
}

func u64(n uint64) []byte { return binary.LittleEndian.AppendUint64(nil, n) }
