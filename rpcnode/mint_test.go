package rpcnode_test

import (
	"encoding/binary"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signing"
)

const (
	tokenKeg  = "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA"
	token2022 = "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb"
)

// mintData is a mint's account with extensions, each a kind and its data.
func mintData(extensions ...[]byte) []byte {
	d := make([]byte, 82, 400)
	d[44], d[45] = 6, 1
	if len(extensions) == 0 {
		return d
	}
	d = d[:166]
	d[165] = 1
	for _, e := range extensions {
		d = append(d, e...)
	}
	return d
}

// extension is a kind, a length and data.
func extension(kind uint16, data []byte) []byte {
	d := binary.LittleEndian.AppendUint16(nil, kind)
	return append(binary.LittleEndian.AppendUint16(d, uint16(len(data))), data...)
}

// feeOf is the extension with which a mint withholds: two fees, each an epoch, a most and basis points.
func feeOf(older, newer [3]uint64) []byte {
	d := make([]byte, 72)
	for _, fee := range [][3]uint64{older, newer} {
		d = binary.LittleEndian.AppendUint64(d, fee[0])
		d = binary.LittleEndian.AppendUint64(d, fee[1])
		d = binary.LittleEndian.AppendUint16(d, uint16(fee[2]))
	}
	return extension(1, d)
}

// A mint says what a transfer of it withholds, at slot 1000, which is in epoch 0. What it will withhold counts
// already.
func TestTransferFee(t *testing.T) {
	padding := extension(18, make([]byte, 64))
	for name, row := range map[string]struct {
		owner string
		data  []byte
		fee   signing.TransferFee
		err   error
	}{
		"the older program":     {owner: tokenKeg, data: mintData()},
		"no extension":          {owner: token2022, data: mintData()},
		"another extension":     {owner: token2022, data: mintData(padding)},
		"a fee":                 {token2022, mintData(feeOf([3]uint64{0, 7, 50}, [3]uint64{0, 9, 60})), signing.TransferFee{BasisPoints: 60, Most: 9}, nil},
		"a fee that was less":   {token2022, mintData(feeOf([3]uint64{0, 7, 50}, [3]uint64{0, 5, 40})), signing.TransferFee{BasisPoints: 40, Most: 5}, nil},
		"it rises":              {token2022, mintData(padding, feeOf([3]uint64{0, 7, 50}, [3]uint64{1, 9, 60})), signing.TransferFee{BasisPoints: 60, Most: 9}, nil},
		"it falls":              {token2022, mintData(feeOf([3]uint64{0, 7, 50}, [3]uint64{1, 5, 40})), signing.TransferFee{BasisPoints: 50, Most: 7}, nil},
		"one part rises":        {token2022, mintData(feeOf([3]uint64{0, 7, 50}, [3]uint64{2, 5, 60})), signing.TransferFee{BasisPoints: 60, Most: 7}, nil},
		"room after it":         {token2022, append(mintData(padding), make([]byte, 30)...), signing.TransferFee{}, nil},
		"a token account":       {token2022, make([]byte, 165), signing.TransferFee{}, signing.ErrUnknown},
		"another program's":     {"11111111111111111111111111111111", mintData(), signing.TransferFee{}, signing.ErrUnknown},
		"not initialised":       {token2022, make([]byte, 82), signing.TransferFee{}, signing.ErrUnknown},
		"cut":                   {token2022, mintData(feeOf([3]uint64{}, [3]uint64{}))[:200], signing.TransferFee{}, signing.ErrUnknown},
		"cut after a whole one": {token2022, mintData(padding, padding)[:300], signing.TransferFee{}, signing.ErrUnknown},
		"a fee of another size": {token2022, mintData(extension(1, make([]byte, 107))), signing.TransferFee{}, signing.ErrUnknown},
	} {
		client := onFake(t, holds(row.owner, row.data, new(int)))
		pool, err := rpcnode.NewPool(rpcnode.PoolConfig{Nodes: []*rpcnode.Client{client}})
		require.NoError(t, err)
		for _, node := range []signing.MintReader{client, pool} {
			fee, err := node.TransferFee(t.Context(), signing.PublicKey{7})
			require.ErrorIs(t, err, row.err, name)
			require.Equal(t, row.fee, fee, name)
		}
	}
	nothing := says(200, `{"jsonrpc":"2.0","id":1,"result":{"context":{"slot":9},"value":null}}`)
	_, err := onFake(t, nothing).TransferFee(t.Context(), signing.PublicKey{7})
	require.ErrorIs(t, err, walletfi.ErrNotFound)
	require.ErrorIs(t, err, signing.ErrUnknown)
}
