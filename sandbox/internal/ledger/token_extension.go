package ledger

import (
	"encoding/binary"
	"iter"
)

// The kinds of account of Token-2022 that can have extensions.
const (
	kindNone    = 0
	kindMint    = 1
	kindAccount = 2
)

// The extensions that the ledger knows.
const (
	extensionFeeConfig        = 1
	extensionFeeAmount        = 2
	extensionCloseMint        = 3
	extensionConfidential     = 4
	extensionState            = 6
	extensionImmutableOwner   = 7
	extensionMemo             = 8
	extensionSoulbound        = 9
	extensionInterest         = 10
	extensionGuard            = 11
	extensionPermanent        = 12
	extensionSoulboundAccount = 13
	extensionHook             = 14
	extensionHookAccount      = 15
	extensionMetadataPointer  = 18
	extensionMetadata         = 19
	extensionGroupPointer     = 20
	extensionGroup            = 21
	extensionMemberPointer    = 22
	extensionMember           = 23
	extensionScaled           = 25
	extensionPausable         = 26
	extensionPausableAccount  = 27
)

// extensionKinds says of each what has it, how long it is, and which extensions the accounts of
// a mint with it have. Of those without a constant the ledger knows no more than this.
var extensionKinds = map[uint16]struct {
	account  byte
	length   int
	accounts []uint16
}{
	extensionFeeConfig:        {kindMint, feeConfigSize, []uint16{extensionFeeAmount}},
	extensionFeeAmount:        {kindAccount, 8, nil},
	extensionCloseMint:        {kindMint, 32, nil},
	extensionConfidential:     {kindMint, 65, nil},
	5:                         {kindAccount, 295, nil},
	extensionState:            {kindMint, 1, nil},
	extensionImmutableOwner:   {kindAccount, 0, nil},
	extensionMemo:             {kindAccount, 1, nil},
	extensionSoulbound:        {kindMint, 0, []uint16{extensionSoulboundAccount, extensionImmutableOwner}},
	extensionInterest:         {kindMint, 52, nil},
	extensionGuard:            {kindAccount, 1, nil},
	extensionPermanent:        {kindMint, 32, nil},
	extensionSoulboundAccount: {kindAccount, 0, nil},
	extensionHook:             {kindMint, 64, []uint16{extensionHookAccount}},
	extensionHookAccount:      {kindAccount, 1, nil},
	16:                        {kindMint, 129, []uint16{17}},
	17:                        {kindAccount, 64, nil},
	extensionMetadataPointer:  {kindMint, 64, nil},
	extensionMetadata:         {kindMint, 0, nil},
	extensionGroupPointer:     {kindMint, 64, nil},
	extensionGroup:            {kindMint, 80, nil},
	extensionMemberPointer:    {kindMint, 64, nil},
	extensionMember:           {kindMint, 72, nil},
	24:                        {kindMint, 196, nil},
	extensionScaled:           {kindMint, 56, nil},
	extensionPausable:         {kindMint, 33, []uint16{extensionPausableAccount}},
	extensionPausableAccount:  {kindAccount, 0, nil},
	28:                        {kindMint, 32, nil},
}

// extensions yields those in an account's data, with their values.
func extensions(data []byte) iter.Seq2[uint16, []byte] {
	return func(yield func(uint16, []byte) bool) {
		for at := tokenSize + 1; at+4 <= len(data); {
			kind, n := binary.LittleEndian.Uint16(data[at:]), int(binary.LittleEndian.Uint16(data[at+2:]))
			end := at + 4 + n
			if kind == 0 || end > len(data) || !yield(kind, data[at+4:end:end]) {
				return
			}
			at = end
		}
	}
}

// extension returns the value of an extension, nil if there is none.
func extension(data []byte, kind uint16) []byte {
	for k, value := range extensions(data) {
		if k == kind {
			return value
		}
	}
	return nil
}

// needExtension is the value of an extension that an instruction cannot do without.
func needExtension(data []byte, kind uint16) []byte {
	if value := extension(data, kind); value != nil {
		return value
	}
	at := extensionEnd(data, 0)
	FailIf(at+4 > len(data), errAccountData)
	panic(tokenNoExtension)
}

// extensionEnd is the place of an extension, or where the last one ends.
func extensionEnd(data []byte, kind uint16) int {
	at := tokenSize + 1
	for k, value := range extensions(data) {
		if k == kind {
			break
		}
		at += 4 + len(value)
	}
	return at
}

// initExtension writes an extension with zeros and returns its value.
func initExtension(data []byte, kind uint16) []byte {
	at, n := extensionEnd(data, kind), extensionKinds[kind].length
	FailIf(at+4+n > len(data), errAccountData)
	binary.LittleEndian.PutUint16(data[at:], kind)
	binary.LittleEndian.PutUint16(data[at+2:], uint16(n))
	value := data[at+4 : at+4+n : at+4+n]
	clear(value)
	return value
}

// putExtension puts an extension into an account's data, which becomes as long as it must.
func (a *Account) putExtension(kind uint16, value []byte) {
	at := extensionEnd(a.Data, kind)
	tail := []byte(nil)
	if old := extension(a.Data, kind); old != nil {
		tail = a.Data[at+4+len(old) : extensionEnd(a.Data, 0)]
	}
	data := binary.LittleEndian.AppendUint16(a.Data[:at:at], kind)
	data = binary.LittleEndian.AppendUint16(data, uint16(len(value)))
	data = append(append(data, value...), tail...)
	a.Data = append(data, make([]byte, notMultisig(len(data))-len(data))...)
}

// notMultisig is the length of an account with extensions: never that of a multisig.
func notMultisig(size int) int {
	if size == multisigSize {
		return size + 2
	}
	return size
}

// extend appends an extension to an account of the kind.
func extend(data []byte, account byte, kind uint16, value []byte) []byte {
	if len(data) <= tokenSize {
		data = append(data, make([]byte, tokenSize-len(data))...)
		data = append(data, account)
	}
	data = binary.LittleEndian.AppendUint16(data, kind)
	data = binary.LittleEndian.AppendUint16(data, uint16(len(value)))
	return append(data, value...)
}
