package world

import (
	"bytes"
	"crypto/ed25519"
	"encoding/json"
	"testing"
)

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

func FuzzRequest(f *testing.F) {
	for _, s := range []string{`{"method":"a","params":[1,-2.5e3,"x\n\u00e9",true,false,null,{}]}`, `[]`, `"`, `{"a"`, ` [ 1 , 2 ] `} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if r := parseRequest(b); !r.bad && !json.Valid(b) {
			t.Fatalf("%q is read as %d calls", b, len(r.calls))
		}
	})
}
