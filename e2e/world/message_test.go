package world

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"math/big"
	"testing"
)

// slow58 is base58 by big integers.
func slow58(b []byte) string {
	n := new(big.Int).SetBytes(b)
	var out []byte
	for m := new(big.Int); n.Sign() > 0; {
		n.DivMod(n, big.NewInt(58), m)
		out = append([]byte{alphabet[m.Int64()]}, out...)
	}
	for i := 0; i < len(b) && b[i] == 0; i++ {
		out = append([]byte{'1'}, out...)
	}
	return string(out)
}

func FuzzBase58(f *testing.F) {
	f.Add([]byte{})
	f.Add([]byte{0, 0, 1})
	f.Add(bytes.Repeat([]byte{255}, 64))
	f.Add(bytes.Repeat([]byte{0}, 32))
	f.Fuzz(func(t *testing.T, b []byte) {
		text := encode58(b)
		if text != slow58(b) {
			t.Fatalf("%x: %s, want %s", b, text, slow58(b))
		}
		back, err := longDecode58(text)
		if err != nil || !bytes.Equal(back, b) {
			t.Fatalf("%x: %x %v", b, back, err)
		}
		if len(b) != 32 && len(b) != 64 {
			return
		}
		fixed := make([]byte, len(b))
		if err := decode58(fixed, text); err != nil || !bytes.Equal(fixed, b) {
			t.Fatalf("%x: %x %v", b, fixed, err)
		}
		if decode58(make([]byte, 32), text) == nil != (len(b) == 32) {
			t.Fatal("length is not checked")
		}
	})
}

func FuzzTransaction(f *testing.F) {
	from := newSigner(1)
	f.Add(payment(Hash{1}, from, Key{2}, 3))
	f.Add(build(0, Hash{1}, []signer{from, newSigner(2)},
		advanceStep(Key{5}, from.key), transferStep(from.key, Key{2}, 3)))
	c := newChain(1, Cluster{})
	f.Add(c.strangerBytes(c.first, 0))
	f.Fuzz(func(t *testing.T, raw []byte) {
		m, err := parseTransaction(raw)
		if err != nil {
			return
		}
		if len(m.signatures) != m.signers || !bytes.HasSuffix(raw, m.signed) {
			t.Fatal("signatures")
		}
		m.fee()
		m.nonce()
		w := New(Config{SkipVerify: true})
		tx, err := w.learn(raw)
		if err != nil {
			t.Fatal(err)
		}
		on := w.chain.lastMain(w.chain.first)
		w.execute(tx, w.chain.parent(on), on)
	})
}

// TestStrangerParses checks the made-up transactions.
func TestStrangerParses(t *testing.T) {
	c := newChain(1, Cluster{})
	m, err := parseTransaction(c.strangerBytes(c.first, 3))
	if err != nil || m.signatures[0] != c.strangerSignature(c.first, 3) || m.keys[m.steps[0].program] != memoProgram {
		t.Fatalf("%+v %v", m, err)
	}
}

// TestSignatures: a transaction counts only if all its signatures verify.
func TestSignatures(t *testing.T) {
	a, b := newSigner(1), newSigner(2)
	raw := build(0, Hash{1}, []signer{a, b}, transferStep(b.key, Key{9}, 1))
	m, err := parseTransaction(raw)
	if err != nil || !m.verify() || m.version != 0 || m.fee() != 2*signatureFee {
		t.Fatalf("%+v %v", m, err)
	}
	raw[1+ed25519.SignatureSize] ^= 1
	if m, err := parseTransaction(raw); err != nil || m.verify() {
		t.Fatal("the second signature is not checked")
	}
}

// TestPriorityFee follows the price of compute units.
func TestPriorityFee(t *testing.T) {
	a := newSigner(1)
	limit := step{budgetProgram, nil, []byte{2, 0x10, 0x27, 0, 0}}                // 10,000 units
	price := step{budgetProgram, nil, []byte{3, 0x40, 0x42, 0x0f, 0, 0, 0, 0, 0}} // 1 lamport
	pay := transferStep(a.key, Key{9}, 1)
	for want, steps := range map[uint64][]step{
		10_000: {limit, price, pay}, 6_000: {price, pay}, 206_000: {price, pay, {program: memoProgram}}, 0: {pay},
	} {
		m, err := parseTransaction(build(-1, Hash{}, []signer{a}, steps...))
		if err != nil || m.fee() != signatureFee+want {
			t.Fatalf("%v: fee %d, want %d more than the signature's", err, m.fee(), want)
		}
	}
}

func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a":[1,-2.5e3,"x\n\u00e9",true,false,null,{}]}`, `[]`, `"`, `{"a"`, ` [ 1 , 2 ] `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := parseJSON(b)
		if err == nil && v.kind == absent {
			t.Fatal("no value and no error")
		}
		if json.Valid(b) && err != nil && len(b) < 30 && bytes.Count(b, []byte{'['})+bytes.Count(b, []byte{'{'}) < 8 {
			t.Fatalf("%q: %v", b, err)
		}
		parseRequest(b)
	})
}
