// Package takeover is the judge of the signer: its tests play a client that was taken over. It
// is written from the signer's documentation and its exported names, and reads neither the
// signer's code nor its store.
//
// A ledger of the package's own executes what the client sends, and shows itself to the signer
// as nodes, of which a minority may lie. The client asks for anything, holds what was signed and
// sends it late, in any order and in part; the signer is killed, restored from old copies, and
// its clock jumps. A court watches the executions. It holds the limits that the policy states
// against what left each owner:
//
//   - What an owner has is the lamports of its key and of its token accounts, its tokens, and
//     what a program keeps for it less what it owes there, if that can come back to it alone:
//     with a withdrawal to somebody else, it has left. What a program keeps that is pinned
//     without saying who may receive has left with the deposit, and so has what goes into an
//     account that a stranger may take from or closes, by a permission from before.
//   - An execution's outflow is by how much it lowers that. What comes in with another
//     execution makes up for nothing.
//   - Of every window that ends with an execution the sum is at most the ceiling, for a client
//     its share of it, for a payee its own. Once the pinned programs have turned and take all
//     that they may write, what they take may exceed that by the exposure and by what has come in
//     within the hour. What the bytes prove never does.
//   - Nobody whom the policy does not list gets more than a tip and the rent of an account.
//   - From a freeze to the thaw nothing is signed.
//   - Each signature that the client saw is in the log, each refusal is in it or counted there but
//     for those of a killed process, and the log is whole.
package takeover
