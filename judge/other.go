package main

import (
	"crypto"
	nist "crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/sha256"
	"encoding/asn1"
	"math"
	"math/big"
	"slices"

	secp "github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"
)

func float(f float64) []byte { return u64(math.Float64bits(f)) }

func (s *scene) associated(wallet, program, mint key) key {
	k, _ := s.pda(ataProgram, wallet[:], program[:], mint[:])
	return k
}

func (s *scene) createAssociated(tag int, owner key, c coin) ins {
	return ins{"ATA.Create", ataProgram, []meta{sw(s.payer), w(s.associated(owner, c.program, c.mint)), r(owner),
		r(c.mint), r(systemProgram), r(c.program)}, join(tag), -1}
}

// either is a token program.
func (s *scene) either() key {
	if s.chance(0.5) {
		return token2022
	}
	return tokenProgram
}

// memos are texts of one to four bytes a letter.
var memos = []string{"a", "hello", "ä", "日本", "🙂 paid", "", "\xff\xfe", "a\x00b", "\xe2\x82"}

func remark(program key) func(s *scene) ins {
	return func(s *scene) ins {
		var metas []meta
		for range s.IntN(5) {
			metas = append(metas, rs(s.key()))
		}
		if s.chance(0.1) {
			metas = append(metas, r(s.key()))
		}
		return ins{"", program, metas, []byte(memos[s.IntN(len(memos))]), -1}
	}
}

func limit(name string, tag int, draw func(s *scene) []byte) kind {
	return kind{"ComputeBudget." + name, func(s *scene) ins {
		return ins{"", budget, nil, join(tag, draw(s)), -1}
	}}
}

var otherKinds = []kind{
	{"ATA.Create", func(s *scene) ins { return s.createAssociated(0, s.key(), s.coinOf(s.either())) }},
	{"ATA.CreateWithoutTag", func(s *scene) ins {
		i := s.createAssociated(0, s.key(), s.coinOf(s.either()))
		i.data = nil
		return i
	}},
	{"ATA.CreateIdempotent", func(s *scene) ins {
		i := s.createAssociated(1, s.key(), s.coinOf(s.either()))
		if s.chance(0.5) {
			s.do(i)
		}
		return i
	}},
	{"ATA.RecoverNested", func(s *scene) ins {
		p := s.either()
		outer, inner, owner := s.mint(p), s.mint(p), s.key()
		s.do(s.createAssociated(0, owner, outer), s.createAssociated(0, owner, inner))
		holder := s.associated(owner, p, outer.mint)
		s.do(s.createAssociated(0, holder, inner))
		nested := s.associated(holder, p, inner.mint)
		s.do(mintTo(inner, nested, 500))
		return ins{"", ataProgram, []meta{w(nested), r(inner.mint), w(s.associated(owner, p, inner.mint)), w(holder),
			r(outer.mint), sw(owner), r(p)}, join(2), -1}
	}},
	{"Memo1", remark(memo1)},
	{"Memo", remark(memo)},
	limit("RequestHeapFrame", 1, func(s *scene) []byte {
		return u32([]uint32{32_768, 65_536, 262_144, 263_168, 1_000, 0}[s.IntN(6)])
	}),
	limit("SetComputeUnitLimit", 2, func(s *scene) []byte {
		return u32([]uint32{0, 1, 149, 150, 3_000, 200_000, 1_400_000, 1_400_001, math.MaxUint32}[s.IntN(9)])
	}),
	limit("SetComputeUnitPrice", 3, func(s *scene) []byte {
		return u64([]uint64{0, 1, 1_000_000, 50_000_000_000, math.MaxUint64}[s.IntN(5)])
	}),
	limit("SetLoadedAccountsDataSizeLimit", 4, func(s *scene) []byte {
		return u32([]uint32{0, 1, 10, 1_000, 100_000, 64 << 20, math.MaxUint32}[s.IntN(7)])
	}),
	limit("RequestUnits", 0, func(s *scene) []byte { return join(u32(200_000), u32(0)) }),
	{"Ed25519.Verify", func(s *scene) ins {
		text := []byte(memos[s.IntN(len(memos))])
		k := s.key()
		return ins{"", ed25519Program, nil, signed2(k[:], ed25519.Sign(s.keys[k], text), text), -1}
	}},
	{"Secp256k1.Verify", func(s *scene) ins { return ins{"", secp256k1, nil, s.ethereum(), -1} }},
	{"Secp256r1.Verify", func(s *scene) ins {
		text := []byte("a passkey")
		public, signature := s.passkey(text)
		return ins{"", secp256r1, nil, signed2(public, signature, text), -1}
	}},
	{"Lookup.Create", func(s *scene) ins {
		i, _, _ := s.createTable()
		return i
	}},
	{"Lookup.Extend", func(s *scene) ins {
		t, authority := s.emptyTable()
		return s.extend(t, authority, s.key(), s.key())
	}},
	{"Lookup.Freeze", func(s *scene) ins {
		t, authority := s.emptyTable()
		if s.chance(0.8) {
			s.do(s.extend(t, authority, s.key()))
		}
		return ins{"", lookupProgram, []meta{w(t), rs(authority)}, u32(1), -1}
	}},
	{"Lookup.Deactivate", func(s *scene) ins {
		t, authority := s.emptyTable()
		return deactivate(t, authority)
	}},
	{"Lookup.Close", func(s *scene) ins {
		t, authority := s.emptyTable()
		s.do(deactivate(t, authority))
		if s.chance(0.5) {
			s.wait(520)
		}
		return ins{"", lookupProgram, []meta{w(t), rs(authority), w(s.wallet(1_000_000))}, u32(4), -1}
	}},
	{"Lookup.Use", func(s *scene) ins {
		t, authority := s.emptyTable()
		to := s.wallet(1_000_000)
		s.do(s.extend(t, authority, s.key(), to, s.key()))
		if s.chance(0.8) {
			s.wait(1)
		}
		s.table = table{t, []key{{}, to, {}}}
		return transfer(s.payer, to, s.upTo(1_000_000))
	}},
}

func deactivate(t, authority key) ins {
	return ins{"Lookup.Deactivate", lookupProgram, []meta{w(t), rs(authority)}, u32(3), -1}
}

// createTable creates a table of the slot before the scene began.
func (s *scene) createTable() (i ins, t, authority key) {
	authority = s.key()
	slot := s.slot + s.passed - 1
	t, bump := s.pda(lookupProgram, authority[:], u64(slot))
	return ins{"Lookup.Create", lookupProgram, []meta{w(t), rs(authority), sw(s.payer), r(systemProgram)},
		join(u32(0), u64(slot), bump), 4}, t, authority
}

func (s *scene) emptyTable() (t, authority key) {
	i, t, authority := s.createTable()
	s.do(i)
	return t, authority
}

func (s *scene) extend(t, authority key, all ...key) ins {
	data := join(u32(2), u64(uint64(len(all))))
	for _, k := range all {
		data = join(data, k)
	}
	return ins{"Lookup.Extend", lookupProgram, []meta{w(t), rs(authority), sw(s.payer), r(systemProgram)}, data, 4}
}

// signed2 is the data of the precompiles that take a key, a signature and a text.
func signed2(public, signature, text []byte) []byte {
	const start = 16
	after := start + len(public)
	offsets := slices.Concat(u16(uint16(after)), u16(math.MaxUint16), u16(start), u16(math.MaxUint16),
		u16(uint16(after+len(signature))), u16(uint16(len(text))), u16(math.MaxUint16))
	return join(1, 0, offsets, public, signature, text)
}

// ethereum is the data of the precompile that recovers an Ethereum address.
func (s *scene) ethereum() []byte {
	k := s.key()
	private := secp.PrivKeyFromBytes(s.keys[k].Seed())
	text := []byte("from Ethereum")
	compact := ecdsa.SignCompact(private, keccak(text), false)
	signature := join(compact[1:], int(compact[0]-27))
	address := keccak(private.PubKey().SerializeUncompressed()[1:])[12:]
	const start = 12
	offsets := join(u16(start+20), 0, u16(start), 0, u16(start+20+65), u16(uint16(len(text))), 0)
	return join(1, offsets, address, signature, text)
}

func keccak(b []byte) []byte {
	h := sha3.NewLegacyKeccak256()
	h.Write(b)
	return h.Sum(nil)
}

// passkey signs by the curve of passkeys, with a low S, as the precompile wants it.
func (s *scene) passkey(text []byte) (public, signature []byte) {
	private, err := nist.ParseRawPrivateKey(elliptic.P256(), s.keys[s.key()].Seed())
	if err != nil {
		panic(err)
	}
	hash := sha256.Sum256(text)
	der, err := private.Sign(nil, hash[:], crypto.SHA256) // without randomness: the same each time
	if err != nil {
		panic(err)
	}
	var parts struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(der, &parts); err != nil {
		panic(err)
	}
	n := elliptic.P256().Params().N
	if parts.S.Cmp(new(big.Int).Rsh(n, 1)) > 0 {
		parts.S.Sub(n, parts.S)
	}
	signature = make([]byte, 64)
	parts.R.FillBytes(signature[:32])
	parts.S.FillBytes(signature[32:])
	point, err := private.PublicKey.Bytes()
	if err != nil {
		panic(err)
	}
	return join(2+int(point[64]&1), point[1:33]), signature
}
