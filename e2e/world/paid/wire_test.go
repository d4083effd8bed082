package paid

import (
	"encoding/binary"

	"github.com/walletfi/walletfi-go/e2e/world"
	"github.com/walletfi/walletfi-go/signing"
)

// account is one of an instruction's.
type account struct {
	key              world.Key
	signer, writable bool
}

// instruction is one before it is compiled.
type instruction struct {
	program  world.Key
	accounts []account
	data     []byte
}

var (
	systemProgram = world.Key(signing.SystemProgram)
	memoProgram   = world.Key(signing.MemoProgram)
	recentHashes  = world.Key(signing.MustPublicKey("SysvarRecentB1ockHashes11111111111111111111"))
)

func transfer(from, to world.Key, lamports uint64) instruction {
	data := binary.LittleEndian.AppendUint32(nil, 2)
	return instruction{
		program:  systemProgram,
		accounts: []account{{from, true, true}, {to, false, true}},
		data:     binary.LittleEndian.AppendUint64(data, lamports),
	}
}

func memo(text string) instruction { return instruction{program: memoProgram, data: []byte(text)} }

func advanceNonce(nonce, authority world.Key) instruction {
	return instruction{
		program:  systemProgram,
		accounts: []account{{nonce, false, true}, {recentHashes, false, false}, {authority, true, false}},
		data:     binary.LittleEndian.AppendUint32(nil, 4),
	}
}

// compile makes the message of a legacy transaction, and the number of its
// signers, of which the payer is the first.
func compile(payer world.Key, hash world.Hash, list ...instruction) (message []byte, signers int) {
	keys := gather(payer, list)
	var ordered []account
	var header [3]byte
	for rank := range 4 {
		for _, a := range keys {
			if rankOf(a) == rank {
				ordered = append(ordered, a)
			}
		}
	}
	index := map[world.Key]byte{}
	for i, a := range ordered {
		index[a.key] = byte(i)
		switch {
		case a.signer && a.writable:
			header[0]++
		case a.signer:
			header[0]++
			header[1]++
		case !a.writable:
			header[2]++
		}
	}
	message = append(header[:], byte(len(ordered)))
	for _, a := range ordered {
		message = append(message, a.key[:]...)
	}
	message = append(message, hash[:]...)
	message = append(message, byte(len(list)))
	for _, in := range list {
		message = append(message, index[in.program], byte(len(in.accounts)))
		for _, a := range in.accounts {
			message = append(message, index[a.key])
		}
		message = append(message, byte(len(in.data))) // below 128 in all that is built here
		message = append(message, in.data...)
	}
	return message, int(header[0])
}

// gather lists each key once, the payer first, with the most that is asked of
// it.
func gather(payer world.Key, list []instruction) []account {
	keys := []account{{payer, true, true}}
	add := func(a account) {
		for i, k := range keys {
			if k.key == a.key {
				keys[i].signer = k.signer || a.signer
				keys[i].writable = k.writable || a.writable
				return
			}
		}
		keys = append(keys, a)
	}
	for _, in := range list {
		for _, a := range in.accounts {
			add(a)
		}
	}
	for _, in := range list {
		add(account{key: in.program})
	}
	return keys
}

// rankOf is an account's place in a message.
func rankOf(a account) int {
	switch {
	case a.signer && a.writable:
		return 0
	case a.signer:
		return 1
	case a.writable:
		return 2
	}
	return 3
}

// envelope is a transaction: its signatures, empty where they are not given,
// and its message.
func envelope(message []byte, signers int, signatures ...world.Signature) []byte {
	raw := []byte{byte(signers)}
	for i := range signers {
		var one world.Signature
		if i < len(signatures) {
			one = signatures[i]
		}
		raw = append(raw, one[:]...)
	}
	return append(raw, message...)
}
