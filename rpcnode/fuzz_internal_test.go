package rpcnode

import (
	"encoding/json"
	"math"
	"testing"

	"github.com/walletfi/walletfi-go/signing"
)

// FuzzReencode: no parsed instruction panics, and one that lacks anything has
// no bytes rather than wrong ones.
func FuzzReencode(f *testing.F) {
	f.Add(byte(0), []byte(`{"type":"transfer","info":{"source":`+text(1)+`,"destination":`+text(2)+`,"lamports":7}}`))
	f.Add(byte(1), []byte(`{"type":"transferChecked","info":{"source":`+text(1)+`,"mint":`+text(2)+`,"destination":`+text(3)+`,"authority":`+text(4)+`,"tokenAmount":{"amount":"7","decimals":6}}}`))
	f.Add(byte(1), []byte(`{"type":"setAuthority","info":{"account":`+text(1)+`,"authorityType":"pause","newAuthority":null,"multisigAuthority":`+text(2)+`,"signers":[]}}`))
	f.Add(byte(2), []byte(`{"type":"create","info":null}`))
	f.Add(byte(3), []byte(`"memo"`))
	programs := []signing.PublicKey{signing.SystemProgram, signing.TokenProgram, associatedTokenProgram, memoProgram}
	f.Fuzz(func(t *testing.T, which byte, parsed []byte) {
		program := programs[int(which)%len(programs)]
		got := reencode(program, parsed)
		if got.Program != program {
			t.Fatal("another program")
		}
		if len(got.Data) > len(parsed)+64 {
			t.Fatalf("%d bytes of %d", len(got.Data), len(parsed))
		}
	})
}

// FuzzInner: no inner instructions panic or index out of a transaction.
func FuzzInner(f *testing.F) {
	f.Add([]byte(`[{"index":0,"instructions":[{"programIdIndex":1,"accounts":[0,2],"data":"3Bxs","stackHeight":2}]}]`))
	f.Add([]byte(`[{"index":1,"instructions":[{"programId":` + text(1) + `,"accounts":[` + text(2) + `],"data":""}]}]`))
	f.Add([]byte(`[{"index":1,"instructions":[{"programId":` + text(1) + `,"program":"spl-token","parsed":{"type":"revoke","info":{}}}]}]`))
	f.Fuzz(func(t *testing.T, text []byte) {
		var sets []innerSet
		if json.Unmarshal(text, &sets) != nil {
			return
		}
		r := innerReader{keys: []signing.PublicKey{{1}, {2}, {3}}}
		all, err := r.read(sets)
		if err != nil && all != nil {
			t.Fatal("half a result")
		}
	})
}

// FuzzTable: no account panics the readers of tables and nonces.
func FuzzTable(f *testing.F) {
	f.Add(make([]byte, 56), uint64(1))
	f.Add(append([]byte{1}, make([]byte, 55+32)...), uint64(math.MaxUint64))
	f.Add(append([]byte{1, 0, 0, 0, 1}, make([]byte, 75)...), uint64(9))
	f.Fuzz(func(t *testing.T, data []byte, slot uint64) {
		addresses, err := readTable(&signing.AccountState{Owner: lookupTableProgram, Data: data}, slot)
		if err == nil && (len(addresses) > maxTableAddresses || len(addresses)*32+tableHeader != len(data)) {
			t.Fatalf("%d addresses of %d bytes", len(addresses), len(data))
		}
		if nonce, err := readNonce(&signing.AccountState{Data: data}); err == nil && nonce == nil {
			t.Fatal("no nonce and no error")
		}
	})
}
