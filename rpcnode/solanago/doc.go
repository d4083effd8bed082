// Package solanago converts between package signing's types and solana-go's, and gives
// solana-go's client of a node, for what package rpcnode does not offer:
//
//	tx, err := solanago.FromSolana(built)
//	balance, err := solanago.RPC(node).GetBalance(ctx, owner, rpc.CommitmentConfirmed)
//
// It is the only package of the module whose exported names have another library's types: a
// major version of solana-go breaks this package alone. signing.NewLocalKey makes a signer of
// a key of solana-go's.
package solanago

import (
	"github.com/gagliardetto/solana-go/rpc"
	"github.com/walletfi/walletfi-go/rpcnode"
	"github.com/walletfi/walletfi-go/rpcnode/internal/solanarpc"
)

// RPC returns solana-go's client of a node. Its calls go the same way as node's own: the
// errors are package rpcnode's and never show the node's URL. It repeats nothing.
func RPC(node *rpcnode.Client) *rpc.Client { return solanarpc.Of(node) }
