package program

import (
	"context"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/spf13/cobra"
	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/signer/client"
	"github.com/walletfi/walletfi-go/signing"
	"github.com/walletfi/walletfi-go/wallet"
)

// sweeping are the flags of sweep.
type sweeping struct {
	to, mint, nodes, grant string
	ask                    bool
}

func newSweep() *cobra.Command {
	var f sweeping
	const short = "Send all that an owner has of a mint to his next key, see rotate; a client runs it"
	c := newCommand("sweep OWNER", short, cobra.ExactArgs(1), f.run)
	c.Flags().StringVar(&f.to, "to", "", "the next key's address")
	c.Flags().StringVar(&f.mint, "mint", "SOL", "the mint; SOL last, as it pays the fees of the others")
	c.Flags().StringVar(&f.nodes, "nodes", "nodes.txt", "the file with the URL of a node")
	c.Flags().BoolVar(&f.ask, "ask", false, "ask the approvers for a grant, print its ID, and send nothing")
	c.Flags().StringVar(&f.grant, "grant", "", "the ID of the grant that they have approved")
	return c
}

func (f *sweeping) run(c *cobra.Command, args []string) error {
	key, err := client.Dial(c.Context(), c.Flag("socket").Value.String(), args[0])
	if err != nil {
		return err
	}
	defer key.Close()
	nodes, err := readNodes(f.nodes)
	if err != nil {
		return err
	}
	node := nodes[0].(*rpcnode.Client)
	u, err := f.build(c.Context(), node, key.PublicKey())
	switch {
	case err != nil:
		return err
	case len(u.Transactions) == 0:
		_, err := fmt.Fprintf(c.OutOrStdout(), "there is nothing of %s\n", f.mint)
		return err
	case f.ask:
		g, err := key.AskGrant(c.Context(), signing.SetRequest{Unsigned: u, Count: 1}, "the sweep of "+f.mint)
		if err == nil {
			_, err = fmt.Fprintln(c.OutOrStdout(), g.Grant.ID)
		}
		return err
	}
	w, err := wallet.New(wallet.Config{
		Signer: key.Under(f.grant), Node: node, Guard: signing.NewGuard(signing.Policy{}),
	})
	if err != nil {
		return err
	}
	defer w.Close()
	result, err := w.Execute(c.Context(), u, wallet.ExecuteOptions{})
	if err != nil {
		return err
	}
	amount := u.Intent.Spend[0].Amount
	_, err = fmt.Fprintf(c.OutOrStdout(), "sent %s of %s: %s\n", amount, f.mint, result.Steps[0].Signature)
	return err
}

// build is the transaction of the sweep, none if there is nothing to send.
func (f *sweeping) build(
	ctx context.Context, node *rpcnode.Client, owner signing.PublicKey,
) (u walletfi.Unsigned, err error) {
	to, err := signing.ParsePublicKey(f.to)
	if err != nil {
		return u, err
	}
	u.Intent = walletfi.Intent{Owner: owner.String(), PayTo: []string{f.to}}
	var calls []call
	if f.mint == "SOL" {
		calls, err = sweepSOL(ctx, node, owner, to, &u.Intent)
	} else {
		calls, err = f.sweepToken(ctx, node, owner, to, &u.Intent)
	}
	if err != nil || len(calls) == 0 {
		return u, err
	}
	if u.Blockhash, u.LastValidBlockHeight, err = node.LatestBlockhash(ctx); err != nil {
		return u, err
	}
	hash, err := signing.ParsePublicKey(u.Blockhash) // 32 bytes in base58, as an address
	if err != nil {
		return u, err
	}
	tx, err := signing.DecodeBytes(unsigned(owner, hash, calls))
	if err != nil {
		return u, err
	}
	u.Transactions = []walletfi.EncodedTransaction{tx.Base64()}
	return u, nil
}

// call is an instruction. Besides the owner, who pays and signs, it has accounts that it writes and
// accounts that it reads, in places of its own.
type call struct {
	program  signing.PublicKey
	data     []byte
	accounts []signing.PublicKey
	writes   []signing.PublicKey
}

// unsigned is a legacy transaction with room for the owner's signature. It has less than 128 of anything,
// so that each count is one byte.
func unsigned(owner, hash signing.PublicKey, calls []call) []byte {
	keys := []signing.PublicKey{owner}
	add := func(key signing.PublicKey) {
		if !slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	for _, c := range calls {
		for _, key := range c.writes {
			add(key)
		}
	}
	written := len(keys)
	for _, c := range calls {
		for _, key := range append(slices.Clone(c.accounts), c.program) {
			add(key)
		}
	}
	place := func(key signing.PublicKey) byte { return byte(slices.Index(keys, key)) }
	raw := append([]byte{1}, make([]byte, 64)...)
	raw = append(raw, 1, 0, byte(len(keys)-written), byte(len(keys)))
	for _, key := range keys {
		raw = append(raw, key[:]...)
	}
	raw = append(append(raw, hash[:]...), byte(len(calls)))
	for _, c := range calls {
		raw = append(raw, place(c.program), byte(len(c.accounts)))
		for _, key := range c.accounts {
			raw = append(raw, place(key))
		}
		raw = append(append(raw, byte(len(c.data))), c.data...)
	}
	return raw
}

// sweepSOL sends the lamports that are left after the fee.
func sweepSOL(
	ctx context.Context, node *rpcnode.Client, owner, to signing.PublicKey, in *walletfi.Intent,
) ([]call, error) {
	const fee = 5000 // of one signature
	states, err := node.Accounts(ctx, []signing.PublicKey{owner})
	if err != nil || states[0].Lamports <= fee {
		return nil, err
	}
	amount := states[0].Lamports - fee
	in.Spend = []walletfi.Asset{{Mint: walletfi.NativeMint, Amount: amount}}
	data := binary.LittleEndian.AppendUint64([]byte{2, 0, 0, 0}, uint64(amount))
	accounts := []signing.PublicKey{owner, to}
	return []call{{signing.SystemProgram, data, accounts, accounts}}, nil
}

// sweepToken sends what the associated account of a mint has, and makes that of the next key.
func (f *sweeping) sweepToken(
	ctx context.Context, node *rpcnode.Client, owner, to signing.PublicKey, in *walletfi.Intent,
) ([]call, error) {
	const rent = 2_039_280 // of an account without extensions; twice that bounds those that have some
	mint, err := signing.ParsePublicKey(f.mint)
	if err != nil {
		return nil, err
	}
	minted, err := node.Accounts(ctx, []signing.PublicKey{mint})
	if err != nil {
		return nil, err
	}
	const decimalsAt = 44
	program := minted[0].Owner
	if program != signing.TokenProgram && program != signing.Token2022Program || len(minted[0].Data) <= decimalsAt {
		return nil, fmt.Errorf("%s is no mint", mint)
	}
	from, target := signing.AssociatedTokenAddress(owner, mint, program), signing.AssociatedTokenAddress(to, mint, program)
	states, err := node.Accounts(ctx, []signing.PublicKey{from})
	if err != nil {
		return nil, err
	}
	held, ok := states[0].Token()
	if !ok || held.Amount == 0 {
		return nil, nil
	}
	in.Spend, in.MaxForeignRentLamports = []walletfi.Asset{{Mint: f.mint, Amount: held.Amount}}, 2*rent
	data := append(binary.LittleEndian.AppendUint64([]byte{12}, uint64(held.Amount)), minted[0].Data[decimalsAt])
	return []call{{
		signing.AssociatedTokenProgram, []byte{1}, // which makes it unless it is there
		[]signing.PublicKey{owner, target, to, mint, signing.SystemProgram, program}, []signing.PublicKey{target},
	}, {
		program, data, []signing.PublicKey{from, mint, target, owner}, []signing.PublicKey{from, target},
	}}, nil
}
