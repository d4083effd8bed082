package world

import (
	"bytes"
	"crypto/ed25519"
	"encoding/binary"
)

// signer is a key that signs.
type signer struct {
	key     Key
	private ed25519.PrivateKey
}

func newSigner(n byte) signer {
	private := ed25519.NewKeyFromSeed(bytes.Repeat([]byte{n}, ed25519.SeedSize))
	return signer{key: Key(private.Public().(ed25519.PublicKey)), private: private}
}

// step is an instruction with keys in place of indexes.
type step struct {
	program  Key
	accounts []Key
	data     []byte
}

func transferStep(from, to Key, lamports uint64) step {
	data := binary.LittleEndian.AppendUint32(nil, systemTransfer)
	return step{systemProgram, []Key{from, to}, binary.LittleEndian.AppendUint64(data, lamports)}
}

func advanceStep(nonce, authority Key) step {
	sysvar := mustKey("SysvarRecentB1ockHashes11111111111111111111")
	return step{systemProgram, []Key{nonce, sysvar, authority}, binary.LittleEndian.AppendUint32(nil, systemAdvance)}
}

// build signs a transaction. All accounts but programs are writable.
func build(version int, hash Hash, signers []signer, steps ...step) []byte {
	var keys, programs []Key
	index := map[Key]int{}
	add := func(list *[]Key, k Key) {
		if _, ok := index[k]; !ok {
			index[k] = 0
			*list = append(*list, k)
		}
	}
	for _, s := range signers {
		add(&keys, s.key)
	}
	for _, s := range steps {
		add(&programs, s.program)
	}
	for _, s := range steps {
		for _, k := range s.accounts {
			add(&keys, k)
		}
	}
	all := append(keys, programs...)
	for i, k := range all {
		index[k] = i
	}
	var m []byte
	if version >= 0 {
		m = append(m, 0x80|byte(version))
	}
	m = append(m, byte(len(signers)), 0, byte(len(programs)), byte(len(all)))
	for _, k := range all {
		m = append(m, k[:]...)
	}
	m = append(append(m, hash[:]...), byte(len(steps)))
	for _, s := range steps {
		m = append(m, byte(index[s.program]), byte(len(s.accounts)))
		for _, k := range s.accounts {
			m = append(m, byte(index[k]))
		}
		m = append(append(m, byte(len(s.data))), s.data...)
	}
	if version >= 0 {
		m = append(m, 0)
	}
	raw := []byte{byte(len(signers))}
	for _, s := range signers {
		raw = append(raw, ed25519.Sign(s.private, m)...)
	}
	return append(raw, m...)
}

// payment signs a transfer of some lamports, the number of which tells
// payments apart.
func payment(hash Hash, from signer, to Key, lamports uint64) []byte {
	return build(-1, hash, []signer{from}, transferStep(from.key, to, lamports))
}
