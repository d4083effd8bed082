package rows

import (
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"

	"github.com/gagliardetto/solana-go"
	"github.com/gagliardetto/solana-go/programs/system"

	"github.com/walletfi/walletfi-go"
	"github.com/walletfi/walletfi-go/bench/internal/turns"
	"github.com/walletfi/walletfi-go/signing"
)

func signatures() []Row {
	return []Row{
		{Group: "Signing", Name: "sign 1,232 bytes, base64 in and out", Unit: "x ed25519.Sign",
			Goal: 1.08, Bound: 1.2, Measure: sign,
			Why: "To read and check the text takes 3 % of a signature, and the rest is two allocations."},
	}
}

// signer is the owner of the wallet in these rows.
var signer = ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize))

func payer() solana.PublicKey { return solana.PublicKeyFromBytes(signer.Public().(ed25519.PublicKey)) }

func someKey(name string) solana.PublicKey { return solana.PublicKey(sha256.Sum256([]byte(name))) }

// unsignedTx encodes a transaction of ours without its signature.
func unsignedTx(list ...solana.Instruction) ([]byte, error) {
	tx, err := solana.NewTransaction(list, solana.Hash(someKey("blockhash")), solana.TransactionPayer(payer()))
	if err != nil {
		return nil, err
	}
	tx.Signatures = make([]solana.Signature, 1)
	return tx.MarshalBinary()
}

// full is a transaction of the largest size that fits into a packet.
func full() ([]byte, error) {
	const size = 1232
	build := func(memo int) ([]byte, error) {
		metas := solana.AccountMetaSlice{solana.Meta(payer()).SIGNER().WRITE()}
		for i := range 16 {
			metas = append(metas, solana.Meta(someKey(string(rune('a'+i)))))
		}
		return unsignedTx(solana.NewInstruction(someKey("exchange"), metas, make([]byte, memo)))
	}
	short, err := build(300)
	if err != nil {
		return nil, err
	}
	return build(300 + size - len(short))
}

func sign(e Effort) (Figure, error) {
	raw, err := full()
	if err != nil {
		return Figure{}, err
	}
	ours, err := signing.NewLocalKey(signer)
	if err != nil {
		return Figure{}, err
	}
	text, ctx := base64.StdEncoding.EncodeToString(raw), context.Background()
	theirs, message := solana.PrivateKey(signer), raw[1+64:]
	return overSecond(turns.Run(e.plan(),
		by("walletfi", func() error {
			tx, err := signing.Decode(walletfi.Base64Transaction(text))
			if err != nil {
				return err
			}
			if err := signing.SignUnchecked(ctx, tx, ours); err != nil {
				return err
			}
			return want(len(tx.Base64()) == len(text), "another length")
		}),
		by("ed25519.Sign", func() error { return want(len(ed25519.Sign(signer, message)) == 64, "no signature") }),
		by("solana-go", func() error {
			tx, err := solana.TransactionFromBase64(text)
			if err != nil {
				return err
			}
			if _, err := tx.PartialSign(func(solana.PublicKey) *solana.PrivateKey { return &theirs }); err != nil {
				return err
			}
			out, err := tx.ToBase64()
			return orWant(err, func() error { return want(len(out) == len(text), "another length") })
		}),
	))
}

// transfers are so many of a few lamports each.
func transfers(n int, lamports uint64, to solana.PublicKey) []solana.Instruction {
	all := make([]solana.Instruction, n)
	for i := range all {
		all[i] = system.NewTransferInstruction(lamports, payer(), to).Build()
	}
	return all
}
