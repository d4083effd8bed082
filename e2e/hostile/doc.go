// Package hostile judges the clients by well-formed answers that lie. Each member of an
// honest answer of each call is spoiled alone: missing, null, of another kind, out of its
// range, written twice, or against the request. What is a lie, and which members a caller
// acts on, is said in testdata/oracle.txt, which is written from the services'
// documentation and not from the clients.
package hostile
