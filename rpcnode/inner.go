package rpcnode

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mr-tron/base58"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/signing"
)

// innerSet holds the instructions that ran under one of the transaction.
type innerSet struct {
	Index        int                `json:"index"`
	Instructions []innerInstruction `json:"instructions"`
}

// innerInstruction is any of the three forms that nodes use: parsed, with the
// keys of a program that they have no parser for, or compiled to indexes.
type innerInstruction struct {
	Program        string             `json:"program"` // the parser's name
	ProgramID      *signing.PublicKey `json:"programId"`
	ProgramIDIndex *int               `json:"programIdIndex"`
	Accounts       json.RawMessage    `json:"accounts"` // keys or indexes
	Data           *string            `json:"data"`     // base58
	Parsed         json.RawMessage    `json:"parsed"`
}

// innerReader turns inner instructions into keys and bytes.
type innerReader struct {
	ctx    context.Context
	client *Client
	tx     *signing.Transaction
	keys   []signing.PublicKey // of the whole transaction, once they were asked for
}

func (r *innerReader) read(sets []innerSet) ([]signing.InnerInstruction, error) {
	all := []signing.InnerInstruction{}
	for _, set := range sets {
		for i := range set.Instructions {
			ins, err := r.one(&set.Instructions[i])
			if err != nil {
				return nil, err
			}
			ins.Outer = set.Index
			all = append(all, ins)
		}
	}
	return all, nil
}

func (r *innerReader) one(in *innerInstruction) (out signing.InnerInstruction, err error) {
	switch {
	case in.ProgramIDIndex != nil:
		return r.compiled(in)
	case in.ProgramID == nil:
		return out, notUnderstood("one names no program")
	case in.Parsed != nil:
		return reencode(*in.ProgramID, in.Parsed), nil
	}
	out.Program = *in.ProgramID
	if err := json.Unmarshal(in.Accounts, &out.Accounts); err != nil {
		return out, notUnderstood("one's accounts are no keys")
	}
	out.Data, err = in.bytes()
	return out, err
}

func (r *innerReader) compiled(in *innerInstruction) (out signing.InnerInstruction, err error) {
	if r.keys == nil {
		if r.keys, err = r.allKeys(); err != nil {
			return out, err
		}
	}
	var indexes []int
	if err := json.Unmarshal(in.Accounts, &indexes); err != nil {
		return out, notUnderstood("one's accounts are no indexes")
	}
	if out.Program, err = r.key(*in.ProgramIDIndex); err != nil {
		return out, err
	}
	out.Accounts = make([]signing.PublicKey, len(indexes))
	for i, index := range indexes {
		if out.Accounts[i], err = r.key(index); err != nil {
			return out, err
		}
	}
	out.Data, err = in.bytes()
	return out, err
}

// bytes decodes the data; that of an instruction without any is empty and not
// nil, which would say that it is not known.
func (in *innerInstruction) bytes() ([]byte, error) {
	if in.Data == nil {
		return nil, notUnderstood("one has no data")
	}
	if *in.Data == "" {
		return []byte{}, nil
	}
	data, err := base58.Decode(*in.Data)
	if err != nil {
		return nil, notUnderstood("one's data is no base58")
	}
	return data, nil
}

func (r *innerReader) key(i int) (signing.PublicKey, error) {
	if i < 0 || i >= len(r.keys) {
		return signing.PublicKey{}, notUnderstood(fmt.Sprintf("account %d of %d", i, len(r.keys)))
	}
	return r.keys[i], nil
}

// allKeys are the transaction's own keys, then what its tables load: all that
// may be written, then the rest.
func (r *innerReader) allKeys() ([]signing.PublicKey, error) {
	keys := r.tx.AccountKeys()
	var readonly []signing.PublicKey
	for _, lookup := range r.tx.Lookups() {
		table, err := r.client.LookupTable(r.ctx, lookup.Table)
		if err != nil {
			return nil, err
		}
		held := table.Addresses
		for _, index := range append(lookup.Writable, lookup.Readonly...) {
			if int(index) >= len(held) {
				return nil, notUnderstood(fmt.Sprintf("address %d of %d in table %s", index, len(held), lookup.Table))
			}
		}
		for _, index := range lookup.Writable {
			keys = append(keys, held[index])
		}
		for _, index := range lookup.Readonly {
			readonly = append(readonly, held[index])
		}
	}
	return append(keys, readonly...), nil
}

func notUnderstood(why string) error { return fmt.Errorf("%w: %s", walletfi.ErrDecode, why) }
