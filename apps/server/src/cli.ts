console.log('soon')
