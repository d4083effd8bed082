// Package judge holds transactions against the intent of the request that they
// answer. Package signing gives it keys and bytes and publishes what it finds.
//
// Every transaction of a set is judged to its end, whatever was refused before:
// a Case collects every ground for refusing, and a set passes if it has none.
// No rule depends on another rule's verdict, and no rule can be left out.
//
// A file holds the rules of one program or of one kind of instruction. The
// facts of a transaction are learned in a first pass over its operations, so
// that no rule depends on the order in which an honest builder puts them.
package judge
