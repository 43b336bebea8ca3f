// Goroutines that allocate and add up, with a garbage collection.
package main

import "runtime"

type list struct {
	next  *list
	value int
}

//go:noinline
func (l *list) sum() int {
	n := 0
	for ; l != nil; l = l.next {
		n += l.value
	}
	return n
}

//go:noinline
func build(n int) *list {
	var l *list
	for i := 0; i < n; i++ {
		l = &list{l, i}
	}
	return l
}

func main() {
	total := 0
	done := make(chan int)
	for i := 0; i < 4; i++ {
		go func() { done <- build(2000).sum() }()
	}
	for i := 0; i < 4; i++ {
		total += <-done
	}
	runtime.GC()
	println(total)
}
